import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { encodeReply } from '../resp.js';
import { isPush, normalisedMessages, normaliserOf } from './normalise.js';
import { isCommand, type Step } from './step.js';
import { HUNG_UP, type Outcome, type Received } from './subject.js';

type Args = readonly Bytes[];

/** Answered by messages alone. */
const SUBSCRIBING = /^[ps]?(un)?subscribe$/i;

interface Connection {
  /** Commands whose replies have not come, in order. */
  readonly sent: Args[];
  /** It has used CLIENT REPLY: some replies never come. */
  curt: boolean;
  /** What it has queued since MULTI. */
  queue: Args[];
}

/** Tells which command each reply of one subject answers, so that it is normalised accordingly, however late it comes. */
export class Attribution {
  readonly #connections: Connection[] = [];

  normalised(step: Step, outcome: Outcome, ids: readonly number[]): Outcome {
    if (isCommand(step) && !SUBSCRIBING.test(step.args[0] ?? '')) {
      const connection = this.#connection(step.connection);
      if (connection.curt) connection.sent.length = 0;
      connection.sent.push(step.args);
      if (isReplyMode(step.args)) connection.curt = true;
    }
    return outcome.map((received, i) => {
      const connection = this.#connection(i);
      const messages: readonly Received[] = normalisedMessages(received);
      return messages.map((each) => (each === HUNG_UP ? each : normalisedReply(connection, each, ids)));
    });
  }

  #connection(index: number): Connection {
    return (this.#connections[index] ??= { sent: [], curt: false, queue: [] });
  }
}

function normalisedReply(connection: Connection, reply: Reply, ids: readonly number[]): Reply {
  if (isPush(reply)) return reply;
  const { sent, queue } = connection;
  const args = sent.shift() ?? [];
  if (encodeReply(reply) === '+QUEUED\r\n') queue.push(args);
  else if (/^(exec|discard|multi|reset)$/i.test(args[0] ?? '')) connection.queue = [];
  if (args[0]?.toLowerCase() !== 'exec' || !Array.isArray(reply)) return plain(reply, args, ids);
  return (reply as Reply[]).map((each, i) => plain(each, queue[i] ?? [], ids));
}

/** CLIENT REPLY. */
export function isReplyMode([name = '', sub = '']: Args): boolean {
  return /^client$/i.test(name) && /^reply$/i.test(sub);
}

function plain(reply: Reply, args: Args, ids: readonly number[]): Reply {
  return reply instanceof ErrorReply ? reply : normaliserOf(args)(reply, ids);
}
