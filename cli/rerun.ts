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

  /**
   * @param lockOf where locks come from
   * @param watched false where somebody else looks after runs that never give way
   */
  constructor(
    private readonly lockOf: (name: string) => Promise<LoadedLock> = load,
    private readonly watched = true,
  ) {}

  readonly run: Runner = async (scenario: Scenario): Promise<Rerun | Refusal> => {
    const { name } = scenario.lock;
    const lock = this.loaded.get(name) ?? (await this.lockOf(name));
    this.loaded.set(name, lock);
    const problem = misfit(lock, scenario);
    if (problem !== null) return { refused: `${name} ${problem}` };
    if (this.watched && isPath(name) && !this.watchdogs.has(name))
      this.watchdogs.set(name, new Watchdog(lock));
    const around = this.watchdogs.get(name)?.around;
    const history = await simulate(scenario, lock, around === undefined ? {} : { around });
    return judge(history);
  };

  /** Lets watchdogs go. */
  async close(): Promise<void> {
    for (const watchdog of this.watchdogs.values()) await watchdog.stop();
  }
}
