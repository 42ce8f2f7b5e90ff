/** A replica's connection to its master: it asks for what it lacks, applies the stream in order, and says how far it is. */
import type { Host } from '../../host/host.js';
import type { KernelEvent } from '../../kernel/heap.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import type { RedisServer } from '../server.js';
import type { Replication } from './replication.js';
import {
  Acknowledgement,
  Greeting,
  SyncRequest,
  type Change,
  type FullCopy,
  type StreamPart,
} from './stream.js';

/** In the words of ROLE. */
export type LinkState = 'connect' | 'connecting' | 'handshake' | 'sync' | 'connected';

export class ReplicaLink implements ClientEnd {
  state: LinkState = 'connect';
  /** Whole seconds of the wall clock at the last word from the master. */
  lastHeardS: number;
  private channel: Channel | null = null;
  private ended = false;
  /** A copy that is being loaded. */
  private loading: KernelEvent | null = null;

  /**
   * @param master null: no server has this name, and the replica tries for ever
   * @param downSinceS whole seconds of the wall clock at the end of the last connection to any master; null: there was none
   */
  constructor(
    private readonly replication: Replication,
    readonly masterName: string,
    readonly master: RedisServer | null,
    public downSinceS: number | null,
  ) {
    this.lastHeardS = replication.nowS;
  }

  get host(): Host {
    return this.replication.server;
  }

  /** In sync from the start of the run, as a cluster that has been running is. */
  start(): void {
    const { replication, master } = this;
    if (master === null || !master.up) return;
    this.channel = replication.network.open(this, master);
    replication.adopt(master.replication.replid, master.replication);
    master.replication.attach(this.channel);
    this.become('connected');
  }

  connect(): void {
    const { replication, master } = this;
    const { up, mode } = replication.server;
    if (this.ended || this.channel !== null || master === null || !up || mode.loading) return;
    this.channel = replication.network.open(this, master);
    this.lastHeardS = replication.nowS;
    this.become('connecting');
    this.channel.toServer.send(new Greeting());
  }

  /** Once a second. */
  turn(): void {
    const { nowS, settings } = this.replication;
    if (this.channel !== null && nowS - this.lastHeardS > settings.timeoutS) this.lost();
    if (this.channel === null) this.connect();
    else if (this.state === 'connected') this.acknowledge(this.replication.offset);
  }

  private acknowledge(offset: number, background = true): void {
    this.channel?.toServer.send(new Acknowledgement(offset, background));
  }

  private become(state: LinkState): void {
    this.state = state;
    this.replication.checkStale();
  }

  private isOf(channel: Channel): boolean {
    return channel === this.channel && !this.ended;
  }

  // ---- what the master says

  heard(channel: Channel): void {
    if (this.isOf(channel)) this.lastHeardS = this.replication.nowS;
  }

  greeted(channel: Channel): void {
    if (!this.isOf(channel)) return;
    this.heard(channel);
    this.become('handshake');
    channel.toServer.send(new SyncRequest(this.replication.replid, this.replication.offset));
  }

  resume(channel: Channel, replid: string): void {
    if (!this.isOf(channel)) return;
    this.heard(channel);
    this.replication.continueAs(replid);
    this.become('connected');
  }

  apply(channel: Channel, part: StreamPart): void {
    if (!this.isOf(channel)) return;
    this.heard(channel);
    const { replication } = this;
    // The question is part of the stream; the answer counts what came before it.
    if (part.asks) this.acknowledge(replication.offset, part.background);
    this.take(part.changes);
    replication.relay(part);
    const { shard, context } = replication.server;
    if (part.changes.length > 0 && context.moments.watching.replicated !== null)
      context.moments.pass('replicated', null, shard.name);
  }

  /** A full copy is here: what was there is of no account, and the replicas of this replica must ask anew. */
  load(channel: Channel, copy: FullCopy): void {
    if (!this.isOf(channel)) return;
    this.heard(channel);
    const { replication } = this;
    const { server, settings } = replication;
    replication.abandonHistory();
    for (const [key] of [...server.entries()]) server.take(key, undefined, null);
    server.settle();
    if (settings.loadUs === 0) {
      this.loaded(copy);
      return;
    }
    this.become('sync');
    server.mode.loading = true;
    this.loading = server.kernel.at(
      server.nowUs + settings.loadUs,
      server,
      (link: ReplicaLink) => {
        link.loading = null;
        if (link.host.up) link.loaded(copy);
      },
      this as ReplicaLink,
      null,
      false,
    );
  }

  private loaded(copy: FullCopy): void {
    const { replication } = this;
    const { server } = replication;
    server.mode.loading = false;
    this.take(copy.changes);
    server.disk.replaced();
    replication.adopt(copy.replid, copy);
    if (this.channel === null) this.connect();
    else {
      this.become('connected');
      this.acknowledge(replication.offset);
    }
  }

  private take(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    const { server } = this.replication;
    for (const { key, record, setter } of changes) server.take(key, record, setter);
    server.settle();
  }

  // ---- ends

  refused(channel: Channel): void {
    if (this.isOf(channel)) this.lost();
  }

  /** A connection that stood is opened again at once, one that never did in the next second. */
  broke(channel: Channel): void {
    if (!this.isOf(channel)) return;
    const { server } = this.replication;
    const again = this.state === 'connected';
    this.lost();
    if (again && server.up)
      server.kernel.at(
        server.nowUs,
        server,
        (link: ReplicaLink) => link.connect(),
        this as ReplicaLink,
        null,
        false,
      );
  }

  private lost(): void {
    const { channel } = this;
    this.channel = null;
    if (this.state === 'connected') this.downSinceS = this.replication.nowS;
    if (this.loading === null) this.become('connect');
    channel?.close();
  }

  /** This server follows another master from now on, or none. A copy that it was loading is lost. */
  end(): void {
    this.ended = true;
    this.stopLoading();
    this.lost();
  }

  /** The server's memory is gone, but not who its master is. */
  crashed(): void {
    this.stopLoading();
    this.lost();
  }

  private stopLoading(): void {
    if (this.loading === null) return;
    const { server } = this.replication;
    server.kernel.cancel(this.loading);
    this.loading = null;
    server.mode.loading = false;
  }
}
