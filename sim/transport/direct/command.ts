/** One command on its way from a client to a server and back. */
import type { OperationKind } from '../../history/events.js';
import type { ProcessTimer } from '../../host/timer.js';
import type { Process } from '../../host/process.js';
import type { Channel } from '../../network/channel.js';
import type { CommandServer, Request, Requests } from '../../redis/request.js';
import { ErrorReply, type Bytes, type Reply } from '../../redis/keyspace.js';
import type { Connection } from './connection.js';
import { errorOf, valueOf } from './convert.js';

export class Command implements Request {
  readonly what = 'request';
  readonly background = false;
  reply: Reply = null;
  /** Rejected or answered already; what comes later is dropped. */
  settled = false;
  /** It set a key for the hold that is being acquired. */
  voted = false;
  timer: ProcessTimer | null = null;

  constructor(
    readonly id: number,
    readonly connection: Connection,
    readonly args: readonly Bytes[],
    readonly by: string,
    readonly task: string,
    readonly hold: string | null,
    readonly op: OperationKind,
    private readonly resolve: (value: unknown) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  get sender(): Process {
    return this.connection.host;
  }

  served(channel: Channel): void {
    (channel.server as CommandServer).receive(channel, this);
  }

  answered(channel: Channel): void {
    this.connection.answer(channel, this);
  }

  settle(reply: Reply): void {
    this.settled = true;
    if (this.timer !== null) this.timer.stop();
    if (reply instanceof ErrorReply) this.reject(errorOf(reply, this.args));
    else this.resolve(valueOf(reply));
  }

  fail(error: Error): void {
    this.settled = true;
    if (this.timer !== null) this.timer.stop();
    this.reject(error);
  }
}

/** Commands that travel and execute together: a pipeline, or MULTI ... EXEC. */
export class Batch implements Requests {
  readonly what = 'request';
  readonly background = false;

  constructor(readonly commands: readonly Command[]) {}

  get id(): number | undefined {
    return this.commands[0]?.id;
  }

  served(channel: Channel): void {
    (channel.server as CommandServer).receiveBatch(channel, this);
  }

  answered(channel: Channel): void {
    const first = this.commands[0];
    if (first !== undefined) first.connection.answerBatch(channel, this);
  }
}
