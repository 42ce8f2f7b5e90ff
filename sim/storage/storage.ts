/**
 * The thing that the lock protects. Reads and writes arrive over the network. Unfenced it takes everything; fenced it
 * refuses a write whose token is below the highest that an accepted write carried. Reads never raise that mark.
 */
import { Host } from '../host/host.js';
import type { Process, ProcessContext } from '../host/process.js';
import type { Channel, ClientEnd, Message, ServerEnd } from '../network/channel.js';
import type { Network } from '../network/network.js';
import type { Clocks } from '../kernel/clock.js';

export type UseKind = 'read' | 'write';

/** One access on its way to the storage and back. */
export class Use implements Message {
  readonly what = 'use';
  readonly background = false;
  accepted = false;
  sentUs = 0;

  constructor(
    readonly id: number,
    readonly by: string,
    readonly hold: string,
    readonly resource: string,
    readonly op: UseKind,
    readonly fence: number | null,
    readonly answer: (accepted: boolean) => void,
    readonly fail: (error: Error) => void,
  ) {}

  served(channel: Channel): void {
    (channel.server as Storage).receive(channel, this);
  }

  answered(channel: Channel): void {
    (channel.client as StorageClient).answer(this);
  }
}

export class Storage extends Host implements ServerEnd {
  private readonly highest = new Map<string, number>();

  constructor(
    context: ProcessContext,
    name: string,
    clocks: Clocks,
    private readonly fenced: boolean,
  ) {
    super(context, name, clocks);
  }

  get host(): Host {
    return this;
  }

  closed(): void {}

  receive(channel: Channel, use: Use): void {
    if (!this.up) {
      channel.break('ECONNRESET');
      return;
    }
    use.accepted = this.accepts(use);
    this.context.recorder.add({
      i: 0,
      tUs: this.context.kernel.nowUs,
      host: this.name,
      kind: 'use',
      phase: use.accepted ? 'ok' : 'fail',
      use: use.id,
      by: use.by,
      hold: use.hold,
      resource: use.resource,
      op: use.op,
      fence: use.fence,
      sentUs: use.sentUs,
    });
    channel.toClient.send(use);
  }

  private accepts(use: Use): boolean {
    if (!this.fenced || use.op === 'read') return true;
    const highest = this.highest.get(use.resource) ?? -Infinity;
    // A write without a token cannot be placed in the order: fenced storage refuses it.
    if (use.fence === null || use.fence < highest) return false;
    this.highest.set(use.resource, use.fence);
    return true;
  }
}

/** Uses that a broken connection left unanswered. */
interface Loss {
  readonly code: string;
  readonly lost: readonly Use[];
}

/** A process's connection to the storage; opened anew at the next use when it breaks. */
export class StorageClient implements ClientEnd {
  /** Opened at the first use. */
  private channel: Channel | null = null;
  private readonly pending = new Set<Use>();

  constructor(
    readonly host: Process,
    private readonly network: Network,
    private readonly storage: Storage,
    private readonly context: ProcessContext,
  ) {}

  send(use: Use): void {
    const { host } = this;
    // The step in which it crashed runs on to its end, and nothing of that leaves it.
    if (!host.up) return;
    const { moments } = this.context;
    use.sentUs = host.nowUs;
    this.pending.add(use);
    const hits =
      moments.watching.used === null
        ? null
        : moments.match('used', host.name, this.storage.name, use.op.toUpperCase());
    const delayUs = hits === null ? 0 : moments.delayUs(hits);
    const channel = (this.channel ??= this.network.open(this, this.storage));
    if (host.ahead) host.effect(() => channel.toServer.send(use, delayUs));
    else channel.toServer.send(use, delayUs);
    if (hits !== null) moments.strikeAll(hits, host);
  }

  answer(use: Use): void {
    this.host.step(StorageClient.deliver, this as StorageClient, use);
  }

  private static deliver(client: StorageClient, use: Use): void {
    if (!client.pending.delete(use)) return;
    const { moments } = client.context;
    if (moments.watching.delivered !== null)
      moments.pass('delivered', client.host, client.storage.name, use.op.toUpperCase());
    use.answer(use.accepted);
  }

  broke(channel: Channel, code: string): void {
    if (channel !== this.channel) return;
    this.channel = null;
    // Not at once: it may break in the middle of a step, and a paused process hears of it when it resumes.
    const { kernel } = this.network;
    const lost = [...this.pending];
    this.pending.clear();
    kernel.at(kernel.nowUs, this.host, StorageClient.notice, this as StorageClient, { code, lost });
  }

  private static notice(client: StorageClient, loss: Loss): void {
    client.host.step(StorageClient.failAll, loss, undefined);
  }

  private static failAll({ code, lost }: Loss): void {
    for (const use of lost) use.fail(Object.assign(new Error(`storage: ${code}`), { code }));
  }
}
