/**
 * One task of a process: it repeats acquire, work in steps on the storage, release, think. It runs inside the process's
 * steps and uses the lock as any program would; all that it does is recorded.
 */
import type { Grant, Lock } from '../../src/contract.js';
import type { HistoryEvent } from '../history/events.js';
import { errorInfo } from '../host/error-info.js';
import type { TaskOwner } from '../host/owner.js';
import type { Process, ProcessContext } from '../host/process.js';
import type { ProcessTimer } from '../host/timer.js';
import { uniformInt, type Stream } from '../kernel/random.js';
import type { DurationUs } from '../network/link.js';
import type { SealedInstance } from '../sealed/instance.js';
import { Use, type StorageClient } from '../storage/storage.js';
import { OpenCalls, type Call } from './calls.js';
import { claimOf, Hold } from './hold.js';
import type { ProcessPlan } from './plan.js';

export interface TaskSetting {
  readonly process: Process;
  readonly context: ProcessContext;
  readonly plan: ProcessPlan;
  readonly owner: TaskOwner;
  readonly storage: StorageClient;
  /** The sealed realm's own, so that a signal looks native to the lock. */
  readonly AbortController: SealedInstance['AbortController'];
  readonly renews: boolean;
  readonly counter: { nextUse: number };
}

/** An event of a hold without what the task fills in. */
type Note<E = HistoryEvent> = E extends { hold: string; step: number; task: string }
  ? Omit<E, 'i' | 'tUs' | 'host' | 'step' | 'task' | 'hold'>
  : never;

export class Task {
  /** The hold that is believed in: granted, not yet released. */
  current: Hold | null = null;
  /** Calls of the lock that have not settled. */
  private readonly calls = new OpenCalls();
  finished = false;
  private lock: Lock | null = null;
  private stream: Stream | null = null;
  private renewal: ProcessTimer | null = null;

  constructor(private readonly setting: TaskSetting) {}

  get id(): string {
    return this.setting.owner.task;
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
      if (round > 0) await this.sleep(plan.thinkUs);
      const resource = plan.resources[round % plan.resources.length]!;
      const hold = await this.acquire(resource);
      if (hold === null) continue;
      await this.work(hold);
      await this.release(hold);
    }
    this.finished = true;
  }

  /**
   * Looks at the lock's claim; called after each step of the process. A renewal by hand that succeeds has recorded its
   * claim by then: what moves otherwise, also while one is open, the lock moved by itself.
   */
  observe(): void {
    const hold = this.current;
    if (hold === null) return;
    const claim = hold.movedClaim();
    if (claim !== null) this.note(hold, { kind: 'extend', phase: 'info', claim });
  }

  // ---- acquire

  private async acquire(resource: string): Promise<Hold | null> {
    const { process, context, plan, owner } = this.setting;
    const hold = new Hold(`${process.name}/${this.id}/${++owner.holds}`, resource);
    owner.hold = hold.id;
    this.note(hold, { kind: 'acquire', phase: 'invoke', resource, ttlMs: plan.ttlMs });
    this.begin('acquire', hold);
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
      this.note(hold, { kind: 'acquire', phase: 'fail', error: errorInfo(error) });
      return null;
    } finally {
      withdrawal?.timer.stop();
      this.end('acquire', hold);
    }
  }

  private withdrawal(hold: Hold): { signal: AbortSignal; timer: ProcessTimer } | null {
    const { plan, process } = this.setting;
    if (plan.withdrawAfterUs === null) return null;
    const controller = new this.setting.AbortController();
    const timer = process.startTimerUs(() => {
      this.note(hold, { kind: 'acquire', phase: 'info' });
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
    this.note(hold, {
      kind: 'acquire',
      phase: 'ok',
      claim: hold.claim,
      fence: grant.fence ?? null,
      signals: lost !== undefined,
      renews,
      votes: this.votes(hold),
    });
    owner.granted();
    this.current = hold;
    if (lost !== undefined) {
      if (lost.aborted) this.lost(hold, lost);
      else lost.addEventListener('abort', () => this.lost(hold, lost), { once: true });
    }
    if (context.moments.watching.granted !== null) context.moments.pass('granted', process);
    if (this.setting.plan.extend !== undefined) this.renewLater(hold, 0);
  }

  private votes(hold: Hold): string[] {
    return this.setting.process.votes.take(hold.id);
  }

  private lost(hold: Hold, signal: AbortSignal): void {
    if (this.current !== hold) return;
    hold.told = true;
    const { process, context } = this.setting;
    this.note(hold, { kind: 'lost', reason: errorInfo(signal.reason).message });
    if (context.moments.watching.lost !== null) context.moments.pass('lost', process);
  }

  // ---- work

  private async work(hold: Hold): Promise<void> {
    const { plan } = this.setting;
    const workUs = this.draw(plan.workUs);
    const gapUs = plan.steps > 1 ? Math.floor(workUs / (plan.steps - 1)) : workUs;
    if (plan.steps < 2) await this.sleepUs(workUs);
    for (let step = 0; step < plan.steps; step++) {
      if (step > 0) await this.sleepUs(gapUs);
      if (!this.mayGoOn(hold)) return;
      if (!(await this.use(hold, step % 2 === 0 && plan.steps > 1 ? 'read' : 'write'))) return;
    }
  }

  /** The discipline's look at the lock before a step. */
  private mayGoOn(hold: Hold): boolean {
    const { plan, process, context } = this.setting;
    if (plan.discipline === 'naive') return true;
    const held = plan.discipline === 'heeds' ? !hold.told : this.stillValid(hold);
    this.note(hold, { kind: 'check', held });
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
    this.note(hold, { kind: 'use', phase: 'invoke', use: id, resource: hold.resource, op, fence });
    return new Promise((resolve) => {
      storage.send(
        new Use(id, process.name, hold.id, hold.resource, op, fence, resolve, () => resolve(false)),
      );
    });
  }

  // ---- renewal by hand

  private renewLater(hold: Hold, done: number): void {
    const { plan, process } = this.setting;
    const { atFraction, max } = plan.extend!;
    if (done >= max) return;
    this.renewal = process.startTimerUs(
      () => void this.renew(hold, done),
      Math.round(plan.ttlMs * atFraction * 1000),
    );
  }

  private async renew(hold: Hold, done: number): Promise<void> {
    const { plan, process, context } = this.setting;
    const grant = hold.grant!;
    if (this.current !== hold || hold.told || grant.extend === undefined) return;
    this.note(hold, { kind: 'extend', phase: 'invoke', ttlMs: plan.ttlMs });
    this.begin('extend', hold);
    if (context.moments.watching.refreshing !== null) context.moments.pass('refreshing', process);
    try {
      await grant.extend(plan.ttlMs);
      hold.claim = claimOf(grant.validUntil?.());
      this.note(hold, { kind: 'extend', phase: 'ok', claim: hold.claim });
      if (this.current === hold) this.renewLater(hold, done + 1);
    } catch (error) {
      hold.told = true;
      this.note(hold, { kind: 'extend', phase: 'fail', error: errorInfo(error) });
    } finally {
      this.end('extend', hold);
    }
  }

  // ---- release

  private async release(hold: Hold): Promise<void> {
    const { process, context, owner } = this.setting;
    this.renewal?.stop();
    this.current = null;
    this.note(hold, { kind: 'release', phase: 'invoke' });
    this.begin('release', hold);
    if (context.moments.watching.releasing !== null) context.moments.pass('releasing', process);
    try {
      await hold.grant!.release();
      this.note(hold, { kind: 'release', phase: 'ok' });
    } catch (error) {
      this.note(hold, { kind: 'release', phase: 'fail', error: errorInfo(error) });
    }
    this.end('release', hold);
    owner.over();
    if (context.moments.watching.released !== null) context.moments.pass('released', process);
  }

  /** Calls of the lock that will never settle: nothing is left that could settle them. */
  recordPending(): void {
    const { process } = this.setting;
    for (const { op, hold } of this.calls) {
      process.record({
        i: 0,
        tUs: process.nowUs,
        host: process.name,
        step: process.steps,
        task: this.id,
        hold,
        kind: 'pending',
        op,
      });
    }
  }

  // ---- helpers

  private begin(op: Call, hold: Hold): void {
    this.setting.owner.begin(op);
    this.calls.begin(op, hold.id);
  }

  private end(op: Call, hold: Hold): void {
    this.setting.owner.end(op);
    this.calls.end(op, hold.id);
  }

  /** Records an event of a hold; `note` is completed in place. */
  private note(hold: Hold, note: Note): void {
    const { process } = this.setting;
    const event = note as HistoryEvent & { step: number; task: string; hold: string };
    event.i = 0;
    event.tUs = process.nowUs;
    event.host = process.name;
    event.step = process.steps;
    event.task = this.id;
    event.hold = hold.id;
    process.record(event);
  }

  private draw(range: DurationUs): number {
    if (range[0] === range[1]) return range[0];
    const { context, process } = this.setting;
    this.stream ??= context.streams.open(process.name, `work/${this.id}`);
    return uniformInt(this.stream, range[0], range[1]);
  }

  private sleep(range: DurationUs): Promise<void> {
    return this.sleepUs(this.draw(range));
  }

  private sleepUs(us: number): Promise<void> {
    if (us === 0) return Promise.resolve();
    return new Promise((resolve) => this.setting.process.startTimerUs(resolve, us));
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
