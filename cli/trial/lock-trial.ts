/** One lock on trial: every row it fits, what shows there tried on the wire, and a hunt. */
import { CATALOGUE } from '../../sim/catalogue/index.js';
import { digest } from '../../sim/history/digest.js';
import type { LoadedLock } from '../../sim/load.js';
import { LockModuleError } from '../../sim/sealed/errors.js';
import { PROPERTY_IDS } from '../../sim/scenario/schema.js';
import { runCell, type CellRun, type LockAtHand } from '../cells.js';
import { neverConnected, noGrantOf } from '../inconclusive.js';
import type { Mismatch } from '../expectation.js';
import {
  bySettings,
  grouped,
  keyOf,
  seenIn,
  type Seen,
  type Sighting,
  type TrialFinding,
} from './findings.js';
import { Board } from './board.js';
import { hunted } from './hunted.js';
import { rowsFor, type Misfit, type Play, type Row } from './rows.js';

/** What a trial of one lock came to. Plain data. */
export interface LockTrial {
  readonly name: string;
  /** Rows that were run. */
  readonly rows: number;
  /** Rows that the lock does not fit. */
  readonly misfits: readonly Misfit[];
  /** Rows in which nothing could be judged. */
  readonly unknown: readonly { readonly scenario: string; readonly why: string }[];
  /** Per property, in how many rows it was judged. */
  readonly judged: Readonly<Record<string, number>>;
  readonly findings: readonly TrialFinding[];
  /** Rows with expectations of this very lock. */
  readonly expected: number;
  /** Of those, what came out otherwise. */
  readonly unexpected: readonly Unexpected[];
  /** Why its own client could not be tried; null: it was, or nothing was to be tried. */
  readonly noWire: string | null;
  /** Commands whose runs differ from one time to the next: nothing they show can be trusted. */
  readonly notDeterministic: readonly string[];
  /** Runs of all kinds, the hunt's among them. */
  readonly runs: number;
  readonly hunted: number;
}

export interface Unexpected {
  readonly scenario: string;
  readonly mismatches: readonly Mismatch[];
  readonly unknownBecause: string | null;
  readonly command: string;
}

/** What a trial of one lock is asked for. Plain data, but for the board that both sides share. */
export interface TrialSpec {
  /** As `--lock` takes it. */
  readonly name: string;
  /** Of every run; null: each row has its own, and the hunt 1. */
  readonly seed: number | null;
  readonly huntRuns: number;
  /** Where counterexamples are written. */
  readonly out: string;
  readonly board: SharedArrayBuffer;
}

/**
 * Puts a lock on trial. When it is to stop it finishes the run under way and keeps what was found so far.
 * @param begin called as a run begins: with the place of its row in the catalogue, and their number for all of the hunt
 */
export async function tryLock(
  spec: TrialSpec,
  lock: LoadedLock,
  begin: (run: number) => void,
): Promise<LockTrial> {
  return new LockOnTrial(spec, { lock }, begin).run();
}

/** What a run leaves behind: its history would be too much to keep. */
interface Tried {
  readonly play: Play;
  readonly seen: readonly Seen[];
  readonly digest: string;
}

class LockOnTrial {
  private readonly board: Board;
  private readonly rows: readonly Row[];
  private readonly misfits: readonly Misfit[];
  private readonly sightings: Sighting[] = [];
  private readonly unknown: { scenario: string; why: string }[] = [];
  private readonly unexpected: Unexpected[] = [];
  private readonly notDeterministic: string[] = [];
  private readonly judged: Record<string, number> = {};
  private readonly onWire = new Map<Row, Tried | null>();
  private noWire: string | null = null;
  private done = 0;
  private expected = 0;
  private runs = 0;
  private hunted = 0;

  constructor(
    private readonly spec: TrialSpec,
    private readonly atHand: LockAtHand,
    private readonly begin: (run: number) => void,
  ) {
    const { rows, misfits } = rowsFor(atHand.lock, spec.name, spec.seed ?? undefined);
    this.rows = rows;
    this.misfits = misfits;
    this.board = new Board(spec.board);
  }

  async run(): Promise<LockTrial> {
    for (let index = 0; index < this.misfits.length; index++) this.board.step();
    for (const row of this.rows) {
      if (this.board.stopped) break;
      await this.tryRow(row);
      this.done++;
      this.board.step();
    }
    const findings: TrialFinding[] = [];
    for (const group of grouped(this.sightings).values()) {
      const finding = await this.smallest(group);
      if (finding !== null) findings.push(finding);
    }
    const hunted = await this.hunt(findings);
    return this.result(inOrder(joined(findings, hunted)));
  }

  /** What the hunt finds beyond the rows. */
  private async hunt(findings: readonly TrialFinding[]): Promise<TrialFinding[]> {
    const { name, seed, huntRuns: runs, out } = this.spec;
    if (runs === 0 || this.board.stopped) return [];
    const known = new Set(findings.filter((one) => one.counts).map(({ property }) => property));
    const begin = (): void => {
      this.runs++;
      this.begin(CATALOGUE.length);
    };
    const found = await hunted(name, this.atHand, known, { seed: seed ?? 1, runs, out, begin });
    this.hunted = runs;
    return found;
  }

  private result(findings: readonly TrialFinding[]): LockTrial {
    const { misfits, unknown, judged, expected, unexpected, noWire, notDeterministic, runs, hunted } = this;
    return {
      name: this.spec.name,
      rows: this.done,
      misfits,
      unknown,
      judged,
      findings,
      expected,
      unexpected,
      noWire,
      notDeterministic,
      runs,
      hunted,
    };
  }

  private async tryRow(row: Row): Promise<void> {
    let { first: play } = row;
    let run = await this.play(play);
    if (run === null) {
      this.notRun(row);
      return;
    }
    if (row.expect === undefined && row.wire !== null && noGrantOf(run.history) !== null) {
      // A library may want what only a real client gives it.
      const wired = await this.play(row.wire);
      if (wired !== null && noGrantOf(wired.history) === null) {
        run = wired;
        play = row.wire;
      }
    }
    const { verdicts, outcome } = run;
    if (row.expect !== undefined) {
      this.expected++;
      const { asExpected, mismatches, unknownBecause } = outcome;
      if (!asExpected)
        this.unexpected.push({ scenario: row.id, mismatches, unknownBecause, command: play.command });
    }
    for (const [property, { verdict }] of Object.entries(verdicts))
      if (verdict !== 'unknown') this.judged[property] = (this.judged[property] ?? 0) + 1;
    const excuse = row.expect === undefined ? neverConnected(run.history) : null;
    const seen = excuse === null ? seenIn(run) : [];
    if (row.expect === undefined && seen.length === 0 && outcome.unknownBecause !== null)
      this.unknown.push({ scenario: row.id, why: excuse ?? outcome.unknownBecause });
    for (const violation of seen) this.sightings.push({ ...violation, row, play });
    if (play.transport === 'wire' && seen.length > 0)
      this.onWire.set(row, { play, seen, digest: digest(run.history) });
  }

  /** What was expected of a row that can't be run has not come out. */
  private notRun({ id, expect, first: { command } }: Row): void {
    const why = this.noWire ?? 'it could not be run';
    if (expect === undefined) this.unknown.push({ scenario: id, why });
    else this.unexpected.push({ scenario: id, mismatches: [], unknownBecause: why, command });
  }

  /** Null where the lock's own client is not installed. */
  private async play({ scenario }: Play): Promise<CellRun | null> {
    try {
      this.runs++;
      this.begin(CATALOGUE.findIndex((entry) => entry.scenario.id === scenario.id));
      return await runCell(scenario, this.atHand, { failOn: ['library'] });
    } catch (error) {
      if (!(error instanceof LockModuleError) || error.code !== 'missing-package') throw error;
      this.noWire = error.message;
      return null;
    }
  }

  /** The first of a group, smallest first, that shows on the wire; else the first of all. Null: none is deterministic. */
  private async smallest(group: readonly Sighting[]): Promise<TrialFinding | null> {
    const scenarios = group.map(({ row }) => row.id);
    for (const sighting of group) {
      const tried = await this.wire(sighting.row);
      const seen = tried?.seen.find((other) => keyOf(other) === keyOf(sighting));
      if (tried === null || seen === undefined || !(await this.again(tried))) continue;
      return finding({ ...sighting, ...seen, play: tried.play }, 'wire', scenarios);
    }
    for (const sighting of group) {
      if (sighting.play.transport === 'wire') continue;
      const run = await this.play(sighting.play);
      const again = run !== null && seenIn(run).some((other) => keyOf(other) === keyOf(sighting));
      if (again) return finding(sighting, 'direct only', scenarios);
      this.notDeterministic.push(sighting.play.command);
    }
    return null;
  }

  /** The row on the wire: run once, when it is first asked for. */
  private async wire(row: Row): Promise<Tried | null> {
    const known = this.onWire.get(row);
    if (known !== undefined || row.wire === null) return known ?? null;
    const run = await this.play(row.wire);
    const tried = run === null ? null : { play: row.wire, seen: seenIn(run), digest: digest(run.history) };
    this.onWire.set(row, tried);
    return tried;
  }

  /** Whether the same run, from a fresh start, gives the same history. */
  private async again({ play, digest: expected }: Tried): Promise<boolean> {
    const run = await this.play(play);
    if (run !== null && digest(run.history) === expected) return true;
    this.notDeterministic.push(play.command);
    return false;
  }
}

function finding(
  sighting: Sighting,
  transport: TrialFinding['transport'],
  scenarios: readonly string[],
): TrialFinding {
  const { property, blame, reason, play, events } = sighting;
  return {
    property,
    blame,
    reason,
    transport,
    scenario: play.scenario.id,
    counterexample: null,
    command: play.command,
    faults: play.scenario.faults.length,
    events,
    scenarios,
    bySettings: bySettings(sighting),
    counts: blame === 'library' && transport === 'wire' && !bySettings(sighting),
  };
}

/** One for each property and blame: a row's, unless only the hunt's counts. */
function joined(rows: readonly TrialFinding[], hunted: readonly TrialFinding[]): TrialFinding[] {
  const better = new Set(hunted.filter((one) => one.counts).map(keyOf));
  const kept = rows.filter((one) => one.counts || !better.has(keyOf(one)));
  const shown = new Set(kept.map(keyOf));
  return [...kept, ...hunted.filter((one) => !shown.has(keyOf(one)))];
}

function inOrder(findings: readonly TrialFinding[]): TrialFinding[] {
  const place = ({ property }: TrialFinding): number => PROPERTY_IDS.indexOf(property);
  return [...findings].sort((a, b) => place(a) - place(b));
}
