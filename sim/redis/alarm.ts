import type { KernelEvent } from '../kernel/heap.js';
import type { RedisServer } from './server.js';

/** Wakes a server's engine when it next has something to do: a key to expire, a blocked command to give up. */
export class Alarm {
  private event: KernelEvent | null = null;
  private atMs = Infinity;

  constructor(private readonly server: RedisServer) {}

  set(): void {
    const { server, event } = this;
    const { kernel } = server;
    const nextMs = server.keyspace.nextWakeMs();
    if (nextMs === this.atMs && event !== null) return;
    if (event !== null) kernel.cancel(event);
    this.event = null;
    this.atMs = nextMs;
    if (nextMs === Infinity) return;
    // Redis: expired when now > when, in whole milliseconds.
    const tUs = server.clocks.whenWall((nextMs + 1) * 1000, kernel.nowUs);
    this.event = kernel.at(tUs, null, Alarm.ring, this as Alarm, null);
  }

  private static ring(alarm: Alarm): void {
    alarm.event = null;
    alarm.server.wake();
  }

  cancel(): void {
    if (this.event !== null) this.server.kernel.cancel(this.event);
    this.event = null;
  }

  /** It was set in a former life. */
  forget(): void {
    this.event = null;
  }
}
