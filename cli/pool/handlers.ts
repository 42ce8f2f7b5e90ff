/** Who does what in a thread, by kind; the same functions serve a pool that has no threads. */
import { Exploration } from '../../properties/search/explore/explore.js';
import type { ExploreSpec } from '../../properties/search/explore/spec.js';
import { Hunt } from '../../properties/search/hunt/hunt.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { gridRow } from '../../properties/search/margin/grid.js';
import { loadLock, type LoadedLock } from '../../sim/load.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { lockFor } from '../../sim/transport/wire/program.js';
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
  private explored: { readonly key: string; readonly exploration: Exploration } | null = null;
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

  /** The exploration of the tasks before, likewise. */
  async exploration(spec: ExploreSpec): Promise<Exploration> {
    const key = JSON.stringify(spec);
    if (this.explored?.key !== key) {
      const scenario = parseScenario(spec.scenario);
      const lock = await lockFor(scenario, await this.lock(spec.lock));
      this.explored = { key, exploration: new Exploration(spec, lock) };
    }
    return this.explored.exploration;
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
      case 'explore-plan':
        return (await this.exploration(task.spec)).plan(begin);
      case 'explore-singles':
        return (await this.exploration(task.spec)).singles(task.from, task.to, begin);
      case 'explore-rest':
        return (await this.exploration(task.spec)).stretch(task.part, task.after, begin);
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
