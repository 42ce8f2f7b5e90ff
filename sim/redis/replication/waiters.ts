/** Clients that wait (WAIT) until enough replicas have what they wrote. */
import type { KernelEvent } from '../../kernel/heap.js';
import { BLOCKED, type ErrorReply, type Reply, type Session } from '../keyspace.js';
import type { Replication } from './replication.js';

interface Waiter {
  readonly session: Session;
  readonly replicas: number;
  /** What the replicas must have. */
  readonly offset: number;
  /** It gives up in the first millisecond of the server's wall clock after this one; `Infinity`: never. */
  readonly deadlineMs: number;
}

export class Waiters {
  private all: Waiter[] = [];
  private timer: KernelEvent | null = null;

  constructor(private readonly replication: Replication) {}

  /**
   * WAIT: how many replicas have everything that the session wrote, or BLOCKED until that is `replicas` or the time is over (0:
   * it never is). The replicas are asked at once.
   */
  wait(session: Session, replicas: number, timeoutMs: number): Reply {
    const { server, followers } = this.replication;
    const offset = server.connections.offsetOf(session);
    const having = followers.having(offset);
    if (having >= replicas) return having;
    const deadlineMs = timeoutMs === 0 ? Infinity : Math.floor(server.wallUs / 1000) + timeoutMs;
    this.all.push({ session, replicas, offset, deadlineMs });
    this.schedule();
    this.replication.ask();
    return BLOCKED;
  }

  /** Replicas have acknowledged more. */
  check(): void {
    for (const waiter of [...this.all]) {
      const having = this.replication.followers.having(waiter.offset);
      if (having >= waiter.replicas) this.release(waiter, having);
    }
  }

  private release(waiter: Waiter, reply: Reply): void {
    if (!this.leave(waiter.session)) return;
    this.replication.server.unblocked(waiter.session, reply);
  }

  /** The connection is gone; false if it did not wait. */
  leave(session: Session): boolean {
    if (this.all.length === 0) return false;
    const left = this.all.filter((each) => each.session !== session);
    const waited = left.length < this.all.length;
    this.all = left;
    if (waited) this.schedule();
    return waited;
  }

  /** All answer this error, and their connections end. */
  interrupt(error: ErrorReply): void {
    for (const waiter of [...this.all]) {
      this.release(waiter, error);
      this.replication.server.hangUp(waiter.session);
    }
  }

  /** The server's memory is gone. */
  forget(): void {
    this.all = [];
    this.schedule();
  }

  /** Also when the clock jumped. */
  schedule(): void {
    const { server } = this.replication;
    if (this.timer !== null) server.kernel.cancel(this.timer);
    this.timer = null;
    let earliestMs = Infinity;
    for (const { deadlineMs } of this.all) if (deadlineMs < earliestMs) earliestMs = deadlineMs;
    if (earliestMs === Infinity) return;
    const tUs = server.clocks.whenWall((earliestMs + 1) * 1000, server.nowUs);
    this.timer = server.kernel.at(tUs, server, Waiters.giveUp, this as Waiters, null);
  }

  private static giveUp(waiters: Waiters): void {
    waiters.timer = null;
    const { server, followers } = waiters.replication;
    const nowMs = Math.floor(server.wallUs / 1000);
    for (const waiter of [...waiters.all])
      if (nowMs > waiter.deadlineMs) waiters.release(waiter, followers.having(waiter.offset));
    if (waiters.timer === null) waiters.schedule();
  }
}
