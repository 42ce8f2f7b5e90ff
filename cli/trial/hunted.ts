/**
 * The hunt of a trial: what no row shows, found in scenarios that nobody wrote, and tried on the wire like the rest. It stays inside
 * what lease locks themselves assume: there whatever is the lock's own fault has no excuse.
 */
import path from 'node:path';
import { Hunt, type Finding, type RawFinding } from '../../properties/search/hunt/hunt.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { everyViolation, type Violation } from '../../properties/verdict.js';
import { digest } from '../../sim/history/digest.js';
import { writeCounterexample } from '../../sim/history/file.js';
import { parseScenario, ScenarioError } from '../../sim/scenario/parse.js';
import type { PropertyId, Scenario } from '../../sim/scenario/schema.js';
import { applySets } from '../../sim/scenario/set-path.js';
import { runCell, type CellRun, type LockAtHand } from '../cells.js';
import { counterexampleOf, fileStem, violationsOf } from '../execute.js';
import { lackedCommands, neverConnected } from '../inconclusive.js';
import { shellWord } from '../output.js';
import type { TrialFinding } from './findings.js';
import { toWire } from './rows.js';

export interface HuntingOptions {
  readonly seed: number;
  readonly runs: number;
  /** Where counterexamples are written. */
  readonly out: string;
  /** Called as a run begins. */
  readonly begin: () => void;
}

/**
 * Hunts for violations of the lock's own fault.
 * @param known properties that count against it already: they are not looked for again
 */
export async function hunted(
  name: string,
  atHand: LockAtHand,
  known: ReadonlySet<PropertyId>,
  options: HuntingOptions,
): Promise<TrialFinding[]> {
  const spec: HuntSpec = {
    lock: name,
    seed: options.seed,
    assume: 'bounded',
    kinds: null,
    properties: null,
    sets: [],
    reuse: true,
  };
  const { hunt, raw } = await search(spec, atHand, options);
  const wanted = raw.filter(({ blame, property }) => blame === 'library' && !known.has(property));
  const shown: Shown[] = [];
  const found = new Map<PropertyId, TrialFinding>();
  for (const one of wanted.sort((a, b) => a.run - b.run)) {
    if (found.get(one.property)?.counts === true) continue;
    // What another finding's run shows as well needs none of its own.
    const before = shown.find((other) => other.transport === 'wire' && violationIn(other.run, one) !== null);
    const small = before === undefined ? await hunt.minimise(one, options.begin) : null;
    const showing = before ?? (small === null ? null : await tried(small, atHand, options.out));
    if (showing === null) continue;
    if (before === undefined) shown.push(showing);
    const finding = findingOf(one, showing);
    if (finding.counts || !found.has(one.property)) found.set(one.property, finding);
  }
  return [...found.values()];
}

/** A run that shows something, and the file that replays it. */
interface Shown {
  readonly run: CellRun;
  readonly transport: TrialFinding['transport'];
  readonly file: string;
}

/** Instances are kept between runs unless it makes a difference. */
async function search(
  spec: HuntSpec,
  { lock }: LockAtHand,
  { runs, begin }: HuntingOptions,
): Promise<{ hunt: Hunt; raw: readonly RawFinding[] }> {
  const hunt = new Hunt(spec, lock);
  try {
    const { findings } = await hunt.range(0, runs, begin);
    return { hunt, raw: findings };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ReuseMismatch' || !spec.reuse) throw error;
    return search({ ...spec, reuse: false }, { lock }, { seed: spec.seed, runs, begin, out: '' });
  }
}

/** On the wire if it shows there; null if the lock never got as far as to ask. */
async function tried(small: Finding, atHand: LockAtHand, out: string): Promise<Shown | null> {
  const drawn = parseScenario(small.scenario);
  const wire = onWire(drawn, atHand);
  const wired = wire === null ? null : await twice(wire, atHand);
  const shows = wired !== null && violationIn(wired, small) !== null;
  const run = shows ? wired : await runCell(drawn, atHand, { failOn: ['library'] });
  if (neverConnected(run.history) !== null || lackedCommands(run.history) !== null) return null;
  return { run, transport: shows ? 'wire' : 'direct only', file: saved(small, run, out) };
}

function onWire(drawn: Scenario, { lock }: LockAtHand): Scenario | null {
  if (drawn.processes.transport === 'wire') return drawn;
  try {
    return applySets(drawn, toWire(lock));
  } catch (error) {
    // An option of a client that the real one does not have.
    if (error instanceof ScenarioError) return null;
    throw error;
  }
}

/** Null if two fresh starts differ. */
async function twice(scenario: Scenario, atHand: LockAtHand): Promise<CellRun | null> {
  const run = await runCell(scenario, atHand, { failOn: ['library'] });
  const again = await runCell(scenario, atHand, { failOn: ['library'] });
  return digest(run.history) === digest(again.history) ? run : null;
}

function violationIn(
  { verdicts }: CellRun,
  { property, blame }: Pick<RawFinding, 'property' | 'blame'>,
): Violation | null {
  const verdict = verdicts[property];
  if (verdict.verdict !== 'violated') return null;
  return everyViolation(verdict).find((violation) => violation.blame === blame) ?? null;
}

function saved(small: Finding, run: CellRun, out: string): string {
  const { history, verdicts } = run;
  const hash = digest(history);
  const file = path.join(out, `${fileStem(history.header.scenario, hash)}.counterexample.json`);
  const about = [small.property, violationIn(run, small)!] as const;
  writeCounterexample(file, counterexampleOf(history, hash, violationsOf(verdicts), out, about));
  return file;
}

function findingOf(raw: RawFinding, { run, transport, file }: Shown): TrialFinding {
  const { property, blame } = raw;
  const { header, events } = run.history;
  return {
    property,
    blame,
    reason: violationIn(run, raw)!.reason,
    transport,
    scenario: null,
    counterexample: file,
    command: ['npx', 'lockpick', 'replay', file].map(shellWord).join(' '),
    faults: header.scenario.faults.length,
    events: events.length,
    scenarios: [],
    bySettings: false,
    counts: blame === 'library' && transport === 'wire',
  };
}
