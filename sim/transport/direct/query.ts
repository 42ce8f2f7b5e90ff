/** A client's short connection to a Sentinel: where is the master? */
import type { Process } from '../../host/process.js';
import type { ProcessTimer } from '../../host/timer.js';
import type { Channel, ClientEnd } from '../../network/channel.js';
import type { Network } from '../../network/network.js';
import { Handshake, type Opener } from '../../redis/handshake.js';
import { ErrorReply, type Bytes, type Reply } from '../../redis/keyspace.js';
import { PeerCommand, type Asker } from '../../redis/peer.js';
import type { CommandServer } from '../../redis/request.js';

const CONNECT_TIMEOUT_US = 10_000_000;

/** The reply, or an error and no reply; in a step of the process. */
type Done = (reply: Reply, error: Error | null) => void;

export class Query implements ClientEnd, Opener, Asker {
  private readonly channel: Channel;
  private readonly timer: ProcessTimer;
  private over = false;

  constructor(
    readonly host: Process,
    private readonly network: Network,
    server: CommandServer,
    private readonly master: string,
    private readonly done: Done,
  ) {
    const channel = (this.channel = network.open(this, server));
    host.effect(() => channel.toServer.send(new Handshake(this)));
    this.timer = host.startTimerUs(
      () => this.finish(null, new Error('connect ETIMEDOUT')),
      CONNECT_TIMEOUT_US,
    );
    this.timer.referenced = false;
  }

  connected(): void {
    this.timer.stop();
    this.ask(['SENTINEL', 'get-master-addr-by-name', this.master], (address) => {
      if (address instanceof ErrorReply) this.settle(null, new Error(address.text));
      // It also asks for the other Sentinels, to add them to its list: all of them are there already.
      else this.ask(['SENTINEL', 'sentinels', this.master], () => this.settle(address, null));
    });
  }

  private ask(args: readonly Bytes[], done: (reply: Reply) => void): void {
    this.channel.toServer.send(new PeerCommand(this, this.host.name, args, done, false));
  }

  answer(_channel: Channel, command: PeerCommand): void {
    if (!this.over) command.done?.(command.reply);
  }

  broke(): void {
    if (this.over) return;
    const { kernel } = this.network;
    kernel.at(kernel.nowUs, this.host, Query.failed, this as Query, new Error('Connection is closed.'));
  }

  private static failed(query: Query, error: Error): void {
    query.settle(null, error);
  }

  private settle(reply: Reply, error: Error | null): void {
    if (this.over) return;
    this.host.step((query: Query) => query.finish(reply, error), this as Query, undefined);
  }

  private finish(reply: Reply, error: Error | null): void {
    if (this.over) return;
    this.close();
    this.done(reply, error);
  }

  close(): void {
    if (this.over) return;
    this.over = true;
    this.timer.stop();
    const { channel } = this;
    this.host.effect(() => channel.close());
  }
}
