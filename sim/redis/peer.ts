/**
 * A connection that a server's host opens to another: commands in order, replies in the same order, pushes between them.
 * Nothing of it keeps a run alive, and the history leaves its commands out.
 */
import type { Host } from '../host/host.js';
import type { Channel, ClientEnd } from '../network/channel.js';
import type { Network } from '../network/network.js';
import { Handshake, type Opener } from './handshake.js';
import type { Bytes, Reply } from './keyspace.js';
import type { CommandServer, Request, Requests } from './request.js';

/** Whoever looks after the connection. */
export interface PeerOwner {
  /** It broke, or could not be opened; whatever was asked and not answered never will be. */
  broke(peer: Peer, code: string): void;
  pushed?(peer: Peer, items: readonly Reply[]): void;
}

export type Answered = (reply: Reply) => void;

/** Whoever sent a command, and gets it back with its reply. */
export interface Asker {
  answer(channel: Channel, command: PeerCommand): void;
}

/** One command that no lock asked for. */
export class PeerCommand implements Request {
  readonly what = 'request';
  readonly id = undefined;
  readonly sender = null;
  readonly task = '';
  readonly hold = null;
  readonly op = 'idle';
  reply: Reply = null;
  voted = false;

  constructor(
    private readonly asker: Asker,
    readonly by: string,
    readonly args: readonly Bytes[],
    readonly done: Answered | null,
    readonly background = true,
  ) {}

  served(channel: Channel): void {
    (channel.server as CommandServer).receive(channel, this);
  }

  answered(channel: Channel): void {
    this.asker.answer(channel, this);
  }
}

/** Commands that travel and execute together. */
class PeerBatch implements Requests {
  readonly what = 'request';
  readonly background = true;
  readonly id = undefined;

  constructor(
    private readonly peer: Peer,
    readonly commands: readonly PeerCommand[],
  ) {}

  served(channel: Channel): void {
    (channel.server as CommandServer).receiveBatch(channel, this);
  }

  answered(channel: Channel): void {
    for (const command of this.commands) this.peer.answer(channel, command);
  }
}

export class Peer implements ClientEnd, Asker, Opener {
  /** Its messages are the servers' own housekeeping. */
  readonly background = true;
  private readonly channel: Channel;
  private connecting = true;
  private closed = false;
  /** What was said before the connection was open. */
  private unsent: (PeerCommand | PeerBatch)[] = [];

  /** @param established it is open from the start, as in a cluster that has been running */
  constructor(
    readonly host: Host,
    network: Network,
    private readonly owner: PeerOwner,
    server: CommandServer,
    established = false,
  ) {
    this.channel = network.open(this, server);
    if (established && server.up) {
      server.accept(this.channel);
      this.connecting = false;
    } else this.channel.toServer.send(new Handshake(this, true));
  }

  /** @param done given the reply; not called when the connection breaks first */
  send(args: readonly Bytes[], done: Answered | null = null): void {
    this.say(new PeerCommand(this, this.host.name, args, done));
  }

  sendTogether(commands: readonly (readonly Bytes[])[]): void {
    const { name } = this.host;
    this.say(
      new PeerBatch(
        this,
        commands.map((args) => new PeerCommand(this, name, args, null)),
      ),
    );
  }

  private say(message: PeerCommand | PeerBatch): void {
    if (this.connecting) this.unsent.push(message);
    else this.channel.toServer.send(message);
  }

  connected(channel: Channel): void {
    if (channel !== this.channel || this.closed) return;
    this.connecting = false;
    const { unsent } = this;
    this.unsent = [];
    for (const message of unsent) channel.toServer.send(message);
  }

  answer(_channel: Channel, command: PeerCommand): void {
    if (!this.closed) command.done?.(command.reply);
  }

  pushed(_channel: Channel, items: readonly Reply[]): void {
    if (!this.closed) this.owner.pushed?.(this, items);
  }

  broke(_channel: Channel, code: string): void {
    if (this.closed) return;
    this.closed = true;
    this.owner.broke(this, code);
  }

  /** Gives the connection up; its owner is not told. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.channel.close();
  }
}
