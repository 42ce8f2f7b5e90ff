/** Arguments and replies, as ioredis passes them in and out. */
import { ErrorReply, NilArrayReply, StatusReply, type Bytes, type Reply } from '../../redis/keyspace.js';
import { inResp2 } from '../../redis/resp.js';
import { decodeBytes, encodeArgument } from './bytes.js';

/** Made without a stack: the place where a reply was read says nothing, and taking it costs more than the command. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';

  constructor(
    text: string,
    readonly command: { name: string; args: readonly string[] },
  ) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(text);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Name and arguments as bytes; arrays are flattened as ioredis does. */
export function argumentsOf(name: string, given: readonly unknown[]): Bytes[] {
  // Most commands have no lists in their arguments: an array of the right size, once.
  // oxlint-disable-next-line unicorn/no-new-array -- the argument is the length
  const args = new Array<Bytes>(given.length + 1);
  args[0] = name;
  for (let index = 0; index < given.length; index++) {
    const value = given[index];
    if (Array.isArray(value)) {
      args.length = index + 1;
      append(args, given.slice(index));
      return args;
    }
    args[index + 1] = encodeArgument(value);
  }
  return args;
}

function append(args: Bytes[], values: readonly unknown[]): void {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (Array.isArray(value)) append(args, value);
    else args.push(encodeArgument(value));
  }
}

export function valueOf(reply: Reply): unknown {
  if (typeof reply === 'number' || reply === null) return reply;
  if (typeof reply === 'string') return decodeBytes(reply);
  if (reply instanceof StatusReply) return reply.text;
  if (reply instanceof ErrorReply) return new ReplyError(reply.text, { name: '', args: [] });
  if (reply instanceof NilArrayReply) return null;
  // As ioredis reads integers that a double can't hold.
  if (typeof reply === 'bigint') return String(reply);
  const plain = inResp2(reply);
  return Array.isArray(plain) ? (plain as readonly Reply[]).map(valueOf) : valueOf(plain);
}

/** An error reply to the command `args`, as the client throws it. */
export function errorOf(reply: ErrorReply, args: readonly Bytes[]): ReplyError {
  const [name, ...rest] = args as [string, ...string[]];
  return new ReplyError(decodeBytes(reply.text), { name: name.toLowerCase(), args: rest });
}
