/** What verbs that run many scenarios with many locks have in common: one run, and the locks at hand. */
import { judge } from '../properties/judge.js';
import type { Blame, Verdicts } from '../properties/verdict.js';
import type { History } from '../sim/history/events.js';
import type { LoadedLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { load } from './execute.js';
import { compareWithExpectation, type Outcome } from './expectation.js';
import { isPath } from './resolve.js';
import { Watchdog } from './watchdog.js';

export interface CellRun {
  readonly history: History;
  readonly verdicts: Verdicts;
  readonly outcome: Outcome;
}

export interface CellOptions {
  readonly failOn: readonly Blame[];
  readonly trace?: boolean;
}

/** One run with fresh instances, judged and compared with what is expected of it. Nothing is written. */
export async function runCell(
  scenario: Scenario,
  { lock, around }: LockAtHand,
  { failOn, trace = false }: CellOptions,
): Promise<CellRun> {
  const history = await simulate(scenario, lock, { trace, around });
  const { verdicts } = judge(history);
  return { history, verdicts, outcome: compareWithExpectation(history, verdicts, failOn) };
}

export interface LockAtHand {
  readonly lock: LoadedLock;
  /** The watchdog of a user's own module. */
  readonly around?: Watchdog['around'];
}

/** Locks by the names that `--lock` takes, each loaded once, when it is first asked for. */
export class LockShelf {
  private readonly locks = new Map<string, LockAtHand>();
  private readonly watchdogs: Watchdog[] = [];

  async get(name: string): Promise<LockAtHand> {
    const known = this.locks.get(name);
    if (known !== undefined) return known;
    const lock = await load(name);
    const watchdog = isPath(name) ? new Watchdog(lock) : undefined;
    if (watchdog !== undefined) this.watchdogs.push(watchdog);
    const atHand = { lock, ...(watchdog === undefined ? {} : { around: watchdog.around }) };
    this.locks.set(name, atHand);
    return atHand;
  }

  async close(): Promise<void> {
    for (const watchdog of this.watchdogs) await watchdog.stop();
  }
}
