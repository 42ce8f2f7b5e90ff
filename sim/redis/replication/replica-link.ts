/** A replica's connection to its master: it asks for a copy, applies the stream in order, and says how far it is. */
import type { Host } from '../../host/host.js';
import type { KernelEvent } from '../../kernel/heap.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import type { RedisServer } from '../server.js';
import type { Replication } from './replication.js';
import { Acknowledgement, SyncRequest, type Change, type FullCopy, type StreamPart } from './stream.js';

/** Redis looks after its replication once a second: it connects again, and acknowledges. */
const CRON_US = 1_000_000;

export class ReplicaLink implements ClientEnd {
  private channel: Channel | null = null;
  /** The stream flows. */
  inSync = false;
  private cron: KernelEvent | null = null;
  private ended = false;

  constructor(
    private readonly replication: Replication,
    readonly master: RedisServer,
  ) {
    if (replication.server.context.kernel.nowUs === 0 && master.up) this.start();
    else this.connect();
    this.tick();
  }

  get host(): Host {
    return this.replication.server;
  }

  /** In sync from the start, as a cluster that has been running is. */
  private start(): void {
    const { replication, master } = this;
    this.channel = replication.network.open(this, master);
    master.replication.attach(this.channel, this);
    replication.replid = master.replication.replid;
    replication.offset = master.replication.offset;
    this.inSync = true;
  }

  connect(): void {
    const { replication, master } = this;
    if (this.ended || this.channel !== null || !replication.server.up) return;
    this.channel = replication.network.open(this, master);
    this.channel.toServer.send(new SyncRequest(this, replication.replid, replication.offset));
  }

  private tick(): void {
    const { server } = this.replication;
    const { kernel } = server.context;
    this.cron = kernel.at(
      kernel.nowUs + CRON_US,
      server,
      (link: ReplicaLink) => {
        if (link.ended) return;
        if (link.channel === null) link.connect();
        else if (link.inSync) link.acknowledge();
        link.tick();
      },
      this as ReplicaLink,
      null,
      false,
    );
  }

  acknowledge(): void {
    this.channel?.toServer.send(new Acknowledgement(this.replication.offset));
  }

  apply(channel: Channel, part: StreamPart): void {
    if (channel !== this.channel || this.ended) return;
    this.take(part.changes);
    this.replication.offset = part.offset;
    const { moments } = this.replication.server.context;
    if (moments.watching.replicated !== null)
      moments.pass('replicated', null, this.master.name.replace(/-replica-\d+$/, ''));
  }

  load(channel: Channel, copy: FullCopy): void {
    if (channel !== this.channel || this.ended) return;
    const { replication } = this;
    replication.server.forgetAll();
    this.take(copy.changes);
    replication.replid = copy.replid;
    replication.offset = copy.offset;
    this.inSync = true;
    this.acknowledge();
  }

  private take(changes: readonly Change[]): void {
    for (const { key, record, setter } of changes) this.replication.server.take(key, record, setter);
    this.replication.server.settle();
  }

  refused(channel: Channel): void {
    if (channel === this.channel) this.lost();
  }

  broke(channel: Channel): void {
    if (channel === this.channel) this.lost();
  }

  lost(): void {
    const { channel } = this;
    this.channel = null;
    this.inSync = false;
    channel?.break('ECONNRESET');
  }

  end(): void {
    this.ended = true;
    if (this.cron !== null) this.replication.server.context.kernel.cancel(this.cron);
    this.lost();
  }
}
