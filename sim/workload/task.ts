/**
 * One task of a process: it repeats acquire, work in steps on the storage, release, think. It runs inside the process's
 * steps and uses the lock as any program would; all that it does is recorded.
 */
import type { Grant, Lock } from '../../src/contract.js';
import { errorInfo } from '../host/error-info.js';
import type { ProcessTimer } from '../host/timer.js';
import { failInside, workFailed } from './failure.js';
import { claimOf, Hold } from './hold.js';
import { Journal } from './journal.js';
import { Renewals } from './renewals.js';
import type { TaskSetting } from './task-setting.js';
import { Worker } from './worker.js';

export class Task {
  /** What is believed in: granted, not yet released; the innermost last. */
  private readonly held: Hold[] = [];
  finished = false;
  private lock: Lock | null = null;
  private readonly journal: Journal;
  private readonly worker: Worker;
  private readonly renewals: Renewals;

  constructor(private readonly setting: TaskSetting) {
    this.journal = new Journal(setting);
    this.worker = new Worker(setting, this.journal, this.held);
    this.renewals = new Renewals(setting, this.journal, this.held);
  }

  /** The task's whole life; never rejects. */
  async run(connect: () => Lock): Promise<void> {
    const { plan, process } = this.setting;
    try {
      this.lock = checkedLock(connect());
    } catch (error) {
      process.trouble('uncaught', error);
      this.finished = true;
      return;
    }
    for (let round = 0; round < plan.rounds; round++) {
      if (round > 0) await this.worker.sleep(plan.thinkUs);
      if (plan.nested) {
        await this.inside(0);
        continue;
      }
      const resource = plan.order[round % plan.order.length]!;
      const hold = await this.acquire(resource);
      if (hold === null) continue;
      await this.worker.work(hold);
      await this.release(hold, plan.workFails ? workFailed(hold) : null);
    }
    this.finished = true;
  }

  /** Takes the resource of this depth, works, takes the next one inside it, and gives it up. */
  private async inside(depth: number): Promise<void> {
    const { order, workFails } = this.setting.plan;
    const hold = await this.acquire(order[depth]!);
    if (hold === null) return;
    const done = await this.worker.work(hold);
    if (done && !workFails && depth + 1 < order.length) await this.inside(depth + 1);
    await this.release(hold, workFails ? workFailed(hold) : null);
  }

  /**
   * Looks at the lock's claim; called after each step of the process. A renewal by hand that succeeds has recorded its
   * claim by then: what moves otherwise, also while one is open, the lock moved by itself.
   */
  observe(): void {
    const { held } = this;
    for (let index = 0; index < held.length; index++) {
      const claim = held[index]!.movedClaim();
      if (claim !== null) this.journal.note(held[index]!, { kind: 'extend', phase: 'info', claim });
    }
  }

  // ---- acquire

  private async acquire(resource: string): Promise<Hold | null> {
    const { process, context, plan, owner } = this.setting;
    const hold = new Hold(`${process.name}/${owner.task}/${++owner.holds}`, resource);
    owner.asks(hold.id);
    this.journal.note(hold, { kind: 'acquire', phase: 'invoke', resource, ttlMs: plan.ttlMs });
    this.journal.begin('acquire', hold);
    if (context.moments.watching.asked !== null) context.moments.pass('asked', process);
    const withdrawal = this.withdrawal(hold);
    try {
      const options =
        withdrawal === null ? { ttlMs: plan.ttlMs } : { ttlMs: plan.ttlMs, signal: withdrawal.signal };
      const grant = await this.lock!.acquire(resource, options);
      hold.grant = checkedGrant(grant);
      this.granted(hold);
      return hold;
    } catch (error) {
      this.journal.note(hold, { kind: 'acquire', phase: 'fail', error: errorInfo(error) });
      return null;
    } finally {
      withdrawal?.timer.stop();
      this.journal.end('acquire', hold);
    }
  }

  private withdrawal(hold: Hold): { signal: AbortSignal; timer: ProcessTimer } | null {
    const { plan, process } = this.setting;
    if (plan.withdrawAfterUs === null) return null;
    const controller = new this.setting.AbortController();
    const timer = process.startTimerUs(() => {
      this.journal.note(hold, { kind: 'acquire', phase: 'info' });
      controller.abort();
    }, plan.withdrawAfterUs);
    // The realm's signals have the shape of Node's; only their identity differs.
    return { signal: controller.signal as unknown as AbortSignal, timer };
  }

  private granted(hold: Hold): void {
    const { process, context, owner, renews } = this.setting;
    const grant = hold.grant!;
    const lost = grant.lost;
    hold.claim = claimOf(grant.validUntil?.());
    this.journal.note(hold, {
      kind: 'acquire',
      phase: 'ok',
      claim: hold.claim,
      fence: grant.fence ?? null,
      signals: lost !== undefined,
      renews,
      votes: this.votes(hold),
    });
    owner.granted(hold.id);
    this.held.push(hold);
    if (lost !== undefined) {
      if (lost.aborted) this.lost(hold, lost);
      else lost.addEventListener('abort', () => this.lost(hold, lost), { once: true });
    }
    if (context.moments.watching.granted !== null) context.moments.pass('granted', process);
    if (this.setting.plan.extend !== undefined) this.renewals.later(hold, 0);
  }

  private votes(hold: Hold): string[] {
    return this.setting.process.votes.take(hold.id);
  }

  private lost(hold: Hold, signal: AbortSignal): void {
    if (!this.held.includes(hold)) return;
    hold.told = true;
    const { process, context } = this.setting;
    this.journal.note(hold, { kind: 'lost', reason: errorInfo(signal.reason).message });
    if (context.moments.watching.lost !== null) context.moments.pass('lost', process);
  }

  // ---- release

  /** @param failure with which the work ended; null: it did not fail */
  private async release(hold: Hold, failure: Error | null): Promise<void> {
    const { process, context, owner } = this.setting;
    const grant = hold.grant!;
    hold.renewal?.stop();
    this.held.splice(this.held.indexOf(hold), 1);
    this.journal.note(hold, { kind: 'release', phase: 'invoke' });
    this.journal.begin('release', hold);
    if (context.moments.watching.releasing !== null) context.moments.pass('releasing', process);
    try {
      // Any other lock than one that runs the work is none of the failure's business.
      if (failure === null || grant.fail === undefined) await grant.release();
      else await failInside(process, grant, failure);
      this.journal.note(hold, { kind: 'release', phase: 'ok' });
    } catch (error) {
      this.journal.note(hold, { kind: 'release', phase: 'fail', error: errorInfo(error) });
    }
    this.journal.end('release', hold);
    owner.over(hold.id);
    if (context.moments.watching.released !== null) context.moments.pass('released', process);
  }

  /** Calls of the lock that will never settle. */
  recordPending(): void {
    this.journal.recordPending();
  }
}

function checkedLock(lock: Lock): Lock {
  if (typeof (lock as Partial<Lock> | undefined)?.acquire === 'function') return lock;
  throw new TypeError('connect() returned no lock: what it returns must have acquire(resource, options)');
}

function checkedGrant(grant: Grant): Grant {
  if (typeof (grant as Partial<Grant> | undefined)?.release === 'function') return grant;
  throw new TypeError('acquire() resolved with no grant: what it resolves with must have release()');
}
