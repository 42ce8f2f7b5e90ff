/** Who does what in a thread, by kind; the same functions serve a pool that has no threads. */
import { Hunt } from '../../properties/search/hunt/hunt.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { gridRow } from '../../properties/search/margin/grid.js';
import { loadLock, type LoadedLock } from '../../sim/load.js';
import { resolveLock } from '../../src/resolve.js';
import { Reruns } from '../rerun.js';
import { tryLock } from '../trial/lock-trial.js';
import { rerun } from './rerun.js';
import type { AnswerOf, Kind, Task, TaskOf } from './tasks.js';

/** Called as a run begins. */
export type Begin = (run: number) => void;

/** A thread's own: what it has loaded and keeps between tasks. */
export class Workshop {
  private readonly locks: Map<string, LoadedLock>;
  private kept: { readonly key: string; readonly hunt: Hunt } | null = null;

  constructor(locks: readonly LoadedLock[]) {
    this.locks = new Map(locks.map((lock) => [lock.name, lock]));
  }

  async lock(name: string): Promise<LoadedLock> {
    const given = this.locks.get(name) ?? (await loadLock(resolveLock(name)));
    this.locks.set(name, given);
    return given;
  }

  /** The hunt of the tasks before, with its warm instances, while the spec stays the same. */
  async hunt(spec: HuntSpec): Promise<Hunt> {
    const key = JSON.stringify(spec);
    if (this.kept?.key !== key) this.kept = { key, hunt: new Hunt(spec, await this.lock(spec.lock)) };
    return this.kept.hunt;
  }

  handle<K extends Kind>(task: TaskOf<K>, begin: Begin): Promise<AnswerOf<K>> {
    return this.answer(task as Task, begin) as Promise<AnswerOf<K>>;
  }

  private async answer(task: Task, begin: Begin): Promise<AnswerOf<Kind>> {
    switch (task.kind) {
      case 'prepare':
        await (await this.hunt(task.spec)).ready();
        return null;
      case 'hunt':
        return (await this.hunt(task.spec)).range(task.from, task.to, begin);
      case 'minimise':
        return (await this.hunt(task.spec)).minimise(task.raw, begin);
      case 'rerun':
        return rerun(task.scenario, await this.lock(task.scenario.lock.name));
      case 'margin-row': {
        const { run } = new Reruns((name) => this.lock(name), false);
        let runs = 0;
        return gridRow(task.row, (scenario) => {
          begin(runs++);
          return run(scenario);
        });
      }
      case 'trial':
        return tryLock(task.spec, await this.lock(task.spec.name), begin);
    }
  }
}
