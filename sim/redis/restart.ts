/**
 * How a server comes back: after the delay that its operator keeps (by the machine's wall clock), with what its disk has, and, while
 * it loads that, answering LOADING.
 */
import type { KernelEvent } from '../kernel/heap.js';
import type { Stored } from './persistence/disk.js';
import type { Bytes } from './keyspace.js';
import { sameValue } from './same-value.js';
import type { RedisServer } from './server.js';

export interface RestartPlan {
  /** A restarted server waits for so long before it starts to serve: the delayed restart of Redlock. */
  readonly delayUs: number;
  /** Loading what was saved takes so long. */
  readonly loadUs: number;
}

export class Restart {
  /** The wall clock's reading at which a delayed restart is due; null: none is under way. */
  private dueWallUs: number | null = null;
  private timer: KernelEvent | null = null;

  constructor(
    private readonly server: RedisServer,
    private readonly plan: RestartPlan,
  ) {}

  begin(): void {
    const { server, plan } = this;
    if (server.up || this.dueWallUs !== null) return;
    if (plan.delayUs === 0) {
      this.comeUp();
      return;
    }
    this.dueWallUs = server.wallUs + plan.delayUs;
    this.schedule();
  }

  /** The wall clock jumped: the wait ends sooner, or later. */
  clockChanged(): void {
    if (this.dueWallUs !== null) this.schedule();
  }

  private schedule(): void {
    const { server } = this;
    const { kernel } = server;
    if (this.timer !== null) kernel.cancel(this.timer);
    const dueUs = server.clocks.whenWall(this.dueWallUs!, kernel.nowUs);
    this.timer = kernel.at(dueUs, null, Restart.due, this as Restart, null);
  }

  private static due(restart: Restart): void {
    restart.timer = null;
    restart.dueWallUs = null;
    restart.comeUp();
  }

  private comeUp(): void {
    const { server, plan } = this;
    const found = server.disk.restore();
    server.up = true;
    server.cluster?.restarted();
    const data = found === null ? 'lost' : 'kept';
    server.context.recorder.add({ i: 0, tUs: server.nowUs, host: server.name, kind: 'restart', data });
    this.putBack(found ?? new Map());
    if (found === null || plan.loadUs === 0) {
      server.started();
      return;
    }
    const { life } = server;
    server.mode.loading = true;
    server.kernel.at(
      server.nowUs + plan.loadUs,
      server,
      (loading: RedisServer) => {
        if (loading.life === life && loading.up) loading.started();
      },
      server,
      null,
    );
  }

  /** What was saved is there again; keys of the former life that were not are lost. */
  private putBack(found: ReadonlyMap<Bytes, Stored>): void {
    const { server } = this;
    const { ledger } = server;
    const before = new Map(ledger.setters);
    const changed = new Set<Bytes>();
    for (const [key, { record }] of found) if (!sameValue(server.record(key), record)) changed.add(key);
    server.forgetAll();
    for (const [key, { record, setter }] of found) {
      server.take(key, record, setter);
      if (server.mode.replica) continue;
      // An older life of the key may be back in place of the one that was not saved, or the same as it was before.
      if (!before.has(key) || before.get(key) !== setter || changed.has(key)) {
        if (before.has(key)) ledger.transition(key, 'lost', null, before.get(key)!);
        ledger.transition(key, 'restored', record.deadlineMs, setter);
      }
      before.delete(key);
    }
    if (!server.mode.replica)
      for (const [key, setter] of before) ledger.transition(key, 'lost', null, setter);
    ledger.changed = null;
  }
}
