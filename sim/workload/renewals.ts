/** Renewals by hand: the workload extends what it holds, as often as the scenario says. */
import { errorInfo } from '../host/error-info.js';
import { claimOf, type Hold } from './hold.js';
import type { Journal } from './journal.js';
import type { TaskSetting } from './task-setting.js';

export class Renewals {
  /** @param held what the task holds */
  constructor(
    private readonly setting: TaskSetting,
    private readonly journal: Journal,
    private readonly held: readonly Hold[],
  ) {}

  /** Renews the hold when its share of the ttl has passed, `done` renewals after its grant. */
  later(hold: Hold, done: number): void {
    const { plan, process } = this.setting;
    const { atFraction, max } = plan.extend!;
    if (done >= max) return;
    hold.renewal = process.startTimerUs(
      () => void this.renew(hold, done),
      Math.round(plan.ttlMs * atFraction * 1000),
    );
  }

  private async renew(hold: Hold, done: number): Promise<void> {
    const { plan, process, context } = this.setting;
    const grant = hold.grant!;
    if (!this.held.includes(hold) || hold.told || grant.extend === undefined) return;
    this.journal.note(hold, { kind: 'extend', phase: 'invoke', ttlMs: plan.ttlMs });
    this.journal.begin('extend', hold);
    if (context.moments.watching.refreshing !== null) context.moments.pass('refreshing', process);
    try {
      await grant.extend(plan.ttlMs);
      hold.claim = claimOf(grant.validUntil?.());
      this.journal.note(hold, { kind: 'extend', phase: 'ok', claim: hold.claim });
      if (this.held.includes(hold)) this.later(hold, done + 1);
    } catch (error) {
      hold.told = true;
      this.journal.note(hold, { kind: 'extend', phase: 'fail', error: errorInfo(error) });
    } finally {
      this.journal.end('extend', hold);
    }
  }
}
