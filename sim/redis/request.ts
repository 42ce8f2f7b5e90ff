/** What travels between a server and whoever talks to it: a client of a process, another server, a Sentinel. */
import type { OperationKind } from '../history/events.js';
import type { Process } from '../host/process.js';
import type { Channel, Message, ServerEnd } from '../network/channel.js';
import type { Bytes, Reply } from './keyspace.js';

/** One command on its way to a server, and back with its reply. */
export interface Request extends Message {
  readonly id: number | undefined;
  readonly args: readonly Bytes[];
  reply: Reply;
  /** It set a key for the hold that is being acquired. */
  voted: boolean;
  /** The process that sent it; null: a server's own, which the history leaves out. */
  readonly sender: Process | null;
  readonly by: string;
  readonly task: string;
  readonly hold: string | null;
  readonly op: OperationKind;
  /** A client package's own greeting: no fault waits for it. */
  readonly greeting?: boolean;
}

/** Requests that travel together and are answered together. */
export interface Requests extends Message {
  readonly commands: readonly Request[];
}

/** An end that executes commands: a Redis server, a Sentinel. */
export interface CommandServer extends ServerEnd {
  readonly up: boolean;
  accept(channel: Channel): void;
  receive(channel: Channel, request: Request): void;
  receiveBatch(channel: Channel, batch: Requests): void;
}

/** A message that no command asked for: pub/sub. */
export class Push implements Message {
  readonly what = 'response';
  readonly id = undefined;

  constructor(
    readonly items: readonly Reply[],
    readonly background = false,
  ) {}

  served(): void {}

  answered(channel: Channel): void {
    channel.client.pushed?.(channel, this.items);
  }
}
