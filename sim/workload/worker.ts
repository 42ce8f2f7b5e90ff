/** The work of a section: steps on the storage, each of which awaits the answer, with time between. */
import { uniformInt, type Stream } from '../kernel/random.js';
import type { DurationUs } from '../network/link.js';
import { Use } from '../storage/storage.js';
import type { Hold } from './hold.js';
import type { Journal } from './journal.js';
import type { TaskSetting } from './task-setting.js';

export class Worker {
  private stream: Stream | null = null;

  /** @param held what the task holds, the innermost last */
  constructor(
    private readonly setting: TaskSetting,
    private readonly journal: Journal,
    private readonly held: readonly Hold[],
  ) {}

  /** Works in steps; false if it stopped before its end. */
  async work(hold: Hold): Promise<boolean> {
    const { plan } = this.setting;
    const workUs = this.draw(plan.workUs);
    const gapUs = plan.steps > 1 ? Math.floor(workUs / (plan.steps - 1)) : workUs;
    if (plan.steps < 2) await this.sleepUs(workUs);
    for (let step = 0; step < plan.steps; step++) {
      if (step > 0) await this.sleepUs(gapUs);
      if (!this.mayGoOn(hold)) return false;
      if (!(await this.use(hold, step % 2 === 0 && plan.steps > 1 ? 'read' : 'write'))) return false;
    }
    return true;
  }

  /** The discipline's look at the lock before a step: at all that it holds, from the outside in. */
  private mayGoOn(hold: Hold): boolean {
    if (this.setting.plan.discipline === 'naive') return true;
    for (const each of this.held) if (each !== hold && !this.stillHeld(each)) return false;
    return this.stillHeld(hold);
  }

  private stillHeld(hold: Hold): boolean {
    const { plan, process, context } = this.setting;
    const held = plan.discipline === 'heeds' ? !hold.told : this.stillValid(hold);
    this.journal.note(hold, { kind: 'check', held });
    if (context.moments.watching.checked !== null) context.moments.pass('checked', process);
    return held;
  }

  private stillValid(hold: Hold): boolean {
    const { process } = this.setting;
    const grant = hold.grant!;
    const end = grant.validUntil?.();
    if (end !== undefined) return (end.clock === 'wall' ? process.wallMs() : process.monotonicMs()) < end.ms;
    return grant.isHeld?.() ?? true;
  }

  /** One access of the storage; false when it was refused or the storage is out of reach. */
  private use(hold: Hold, op: 'read' | 'write'): Promise<boolean> {
    const { process, storage, counter } = this.setting;
    const id = counter.nextUse++;
    const fence = hold.grant!.fence ?? null;
    this.journal.note(hold, { kind: 'use', phase: 'invoke', use: id, resource: hold.resource, op, fence });
    return new Promise((resolve) => {
      storage.send(
        new Use(id, process.name, hold.id, hold.resource, op, fence, resolve, () => resolve(false)),
      );
    });
  }

  sleep(range: DurationUs): Promise<void> {
    return this.sleepUs(this.draw(range));
  }

  private draw(range: DurationUs): number {
    if (range[0] === range[1]) return range[0];
    const { context, process, owner } = this.setting;
    this.stream ??= context.streams.open(process.name, `work/${owner.task}`);
    return uniformInt(this.stream, range[0], range[1]);
  }

  private sleepUs(us: number): Promise<void> {
    if (us === 0) return Promise.resolve();
    return new Promise((resolve) => this.setting.process.startTimerUs(resolve, us));
  }
}
