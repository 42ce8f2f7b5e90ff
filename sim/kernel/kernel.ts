/**
 * Virtual time. The kernel pops events in the order of (time, sequence) and executes them one after another; nothing
 * else moves time. Time is a whole number of microseconds.
 */
import { EventHeap, type KernelEvent, type Pausable } from './heap.js';

export type StopReason = 'done' | 'virtual-time' | 'events' | 'hot-loop' | 'escape';

export class Kernel {
  nowUs = 0;
  /** Events executed so far. */
  executed = 0;
  private seq = 0;
  /** Referenced events that are still to come; the run is over when there are none. */
  private alive = 0;
  private readonly heap = new EventHeap();
  private stopped: StopReason | undefined;
  /** Set by a step when {@link synchronous} is false: the driver must let its microtasks run. */
  unsettled: UnsettledStep | null = null;

  /** @param synchronous steps drain their microtasks themselves; else {@link runAsync} must drive */
  constructor(readonly synchronous: boolean) {}

  /** Schedules `action(a, b)`; see {@link KernelEvent}. */
  at<A, B>(
    tUs: number,
    target: Pausable | null,
    action: (a: A, b: B) => void,
    a: A,
    b: B,
    referenced = true,
  ): KernelEvent {
    const event: KernelEvent = {
      tUs,
      seq: this.seq++,
      target,
      action: action as KernelEvent['action'],
      a,
      b,
      cancelled: false,
      referenced,
    };
    if (referenced) this.alive++;
    this.heap.push(event);
    return event;
  }

  /** Idempotent. The event stays in the heap, dead, until its time comes. */
  cancel(event: KernelEvent): void {
    if (event.cancelled) return;
    event.cancelled = true;
    if (event.referenced) this.alive--;
  }

  /** Lets an event keep the run alive, or not. */
  setReferenced(event: KernelEvent, referenced: boolean): void {
    if (event.cancelled || event.referenced === referenced) return;
    event.referenced = referenced;
    this.alive += referenced ? 1 : -1;
  }

  /** Lets what waited during a pause happen now, in the order in which it came. */
  resume(target: Pausable): void {
    const waiting = target.backlog.splice(0);
    for (const event of waiting) {
      event.tUs = this.nowUs;
      event.seq = this.seq++;
      this.heap.push(event);
    }
  }

  /** Events that are still to come and not cancelled, in no particular order. */
  *pending(): IterableIterator<KernelEvent> {
    for (const event of this.heap) if (!event.cancelled) yield event;
  }

  /** Ends the run after the current event. The first reason stands. */
  stop(reason: StopReason): void {
    this.stopped ??= reason;
  }

  /** Executes events until none that matters is left, or a limit is reached. Steps drain synchronously. */
  run(limits: Limits): StopReason {
    for (;;) {
      const reason = this.next(limits);
      if (reason !== undefined) return reason;
    }
  }

  /**
   * The same where no synchronous drain exists: after each step the real event loop turns until the step has
   * settled. Same order, same history, only slower.
   */
  async runAsync(limits: Limits, turn: () => Promise<void>): Promise<StopReason> {
    for (;;) {
      const reason = this.next(limits);
      while (this.unsettled !== null) {
        await turn();
        if (!this.unsettled.continueStep()) this.unsettled = null;
      }
      if (reason !== undefined) return reason;
    }
  }

  private next(limits: Limits): StopReason | undefined {
    if (this.alive === 0) return 'done';
    const event = this.heap.pop();
    if (event === undefined) return 'done';
    if (event.cancelled) return undefined;
    if (event.tUs > limits.virtualUs) {
      // Nothing happened until the limit, and that is worth knowing: somebody may have waited all the while.
      this.nowUs = limits.virtualUs;
      return 'virtual-time';
    }
    this.nowUs = event.tUs;
    if (event.target !== null && event.target.paused) {
      event.target.backlog.push(event);
      return undefined;
    }
    // Spent from here on: cancelling it must not count twice.
    event.cancelled = true;
    if (event.referenced) this.alive--;
    if (++this.executed > limits.events) return 'events';
    event.action(event.a as never, event.b as never);
    return this.stopped;
  }
}

export interface Limits {
  readonly virtualUs: number;
  readonly events: number;
}

/** A step whose callbacks have run and whose microtasks have not. */
export interface UnsettledStep {
  /** Runs what became due after the microtasks; false when the step is over. */
  continueStep(): boolean;
}
