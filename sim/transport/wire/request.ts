/** One command that a real client has written as bytes, on its way to a server. */
import type { OperationKind } from '../../history/events.js';
import type { Owner } from '../../host/owner.js';
import type { Process } from '../../host/process.js';
import type { Channel } from '../../network/channel.js';
import type { Bytes, Reply } from '../../redis/keyspace.js';
import type { CommandServer, Request } from '../../redis/request.js';

/**
 * What client packages say for themselves: to introduce their connection, or to find their way. No lock asked for it, so
 * the history leaves it out and no fault waits for it.
 */
const GREETINGS: ReadonlySet<string> = new Set([
  ...['HELLO', 'AUTH', 'CLIENT', 'INFO', 'SELECT', 'COMMAND', 'READONLY', 'READWRITE', 'CLUSTER', 'SENTINEL'],
  ...['ROLE', 'QUIT'],
]);

export class WireRequest implements Request {
  readonly what = 'request';
  readonly background = false;
  reply: Reply = null;
  voted = false;
  /** Its reply reached the process, or never will. */
  over = false;
  readonly greeting: boolean;
  readonly task: string;
  readonly hold: string | null;
  readonly op: OperationKind;

  /** The owner as it stands while the command is being written. */
  constructor(
    readonly id: number,
    private readonly process: Process,
    owner: Owner,
    readonly args: readonly Bytes[],
  ) {
    this.task = owner.task;
    this.hold = owner.hold;
    this.op = owner.op;
    this.greeting = GREETINGS.has(args[0]!.toUpperCase());
  }

  get by(): string {
    return this.process.name;
  }

  get sender(): Process | null {
    return this.greeting ? null : this.process;
  }

  served(channel: Channel): void {
    (channel.server as CommandServer).receive(channel, this);
  }

  /** Its reply travels as bytes: see {@link WireLane}. */
  answered(): void {}
}
