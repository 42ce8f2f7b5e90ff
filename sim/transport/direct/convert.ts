/** Arguments and replies, as ioredis passes them in and out. */
import { ErrorReply, StatusReply, type Bytes, type Reply } from '../../redis/keyspace.js';
import { decodeBytes, encodeArgument } from './bytes.js';

export class ReplyError extends Error {
  override readonly name = 'ReplyError';

  constructor(
    text: string,
    readonly command: { name: string; args: readonly string[] },
  ) {
    super(text);
  }
}

/** Name and arguments as bytes; arrays are flattened as ioredis does. */
export function argumentsOf(name: string, given: readonly unknown[]): Bytes[] {
  const args: Bytes[] = [name];
  for (const value of given) {
    if (typeof value === 'string') args.push(encodeArgument(value));
    else if (Array.isArray(value)) for (const inner of value.flat(Infinity)) args.push(encodeArgument(inner));
    else args.push(encodeArgument(value));
  }
  return args;
}

export function valueOf(reply: Reply): unknown {
  if (typeof reply === 'number' || reply === null) return reply;
  if (typeof reply === 'string') return decodeBytes(reply);
  if (reply instanceof StatusReply) return reply.text;
  if (reply instanceof ErrorReply) return new ReplyError(reply.text, { name: '', args: [] });
  return (reply as readonly Reply[]).map(valueOf);
}

export function settle(
  reply: Reply,
  args: readonly Bytes[],
  resolve: (value: unknown) => void,
  reject: (error: Error) => void,
): void {
  if (reply instanceof ErrorReply) {
    const [name, ...rest] = args as [string, ...string[]];
    reject(new ReplyError(decodeBytes(reply.text), { name: name.toLowerCase(), args: rest }));
  } else resolve(valueOf(reply));
}
