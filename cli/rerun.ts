/** Runs changed scenarios for searches: with the lock each names, loaded once; a user's own module under a watchdog. */
import { judge } from '../properties/judge.js';
import type { Rerun, Refusal, Runner } from '../properties/search/rerun.js';
import type { LoadedLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { load, misfit } from './execute.js';
import { isPath } from './resolve.js';
import { Watchdog } from './watchdog.js';

export class Reruns {
  private readonly loaded = new Map<string, LoadedLock>();
  private readonly watchdogs = new Map<string, Watchdog>();

  /** @param lock one that is loaded already */
  constructor(lock?: { readonly name: string; readonly loaded: LoadedLock }) {
    if (lock !== undefined) this.loaded.set(lock.name, lock.loaded);
  }

  readonly run: Runner = async (scenario: Scenario): Promise<Rerun | Refusal> => {
    const { name } = scenario.lock;
    const lock = this.loaded.get(name) ?? (await load(name));
    this.loaded.set(name, lock);
    const problem = misfit(lock, scenario);
    if (problem !== null) return { refused: `${name} ${problem}` };
    if (isPath(name) && !this.watchdogs.has(name)) this.watchdogs.set(name, new Watchdog(lock));
    const around = this.watchdogs.get(name)?.around;
    const history = await simulate(scenario, lock, around === undefined ? {} : { around });
    const end = history.events.at(-1);
    return { verdicts: judge(history).verdicts, untriggered: end?.kind === 'end' ? end.untriggered : [] };
  };

  /** Lets watchdogs go. */
  async close(): Promise<void> {
    for (const watchdog of this.watchdogs.values()) await watchdog.stop();
  }
}
