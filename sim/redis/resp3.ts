/** Replies and pushes as RESP3 puts them on the wire. */
import {
  DoubleReply,
  ErrorReply,
  MapReply,
  NilArrayReply,
  SetReply,
  StatusReply,
  type Bytes,
  type Reply,
} from './keyspace.js';
import { formatDouble } from './native/numbers.js';

export function encodeReply3(reply: Reply): Bytes {
  if (typeof reply === 'string') return `$${reply.length}\r\n${reply}\r\n`;
  if (typeof reply === 'number' || typeof reply === 'bigint') return `:${reply}\r\n`;
  if (reply === null || reply instanceof NilArrayReply) return '_\r\n';
  if (reply instanceof StatusReply) return `+${reply.text}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.text}\r\n`;
  if (reply instanceof DoubleReply) return `,${formatDouble(reply.value)}\r\n`;
  if (reply instanceof MapReply) return aggregate('%', reply.pairs, reply.pairs.length / 2);
  if (reply instanceof SetReply) return aggregate('~', reply.members, reply.members.length);
  const items = reply as readonly Reply[];
  return aggregate('*', items, items.length);
}

/** A message that no command asked for. */
export function encodePush3(items: readonly Reply[]): Bytes {
  return aggregate('>', items, items.length);
}

function aggregate(type: string, items: readonly Reply[], length: number): Bytes {
  let out = `${type}${length}\r\n`;
  for (const item of items) out += encodeReply3(item);
  return out;
}

/** Texts for people, which RESP3 marks as such. */
const VERBATIM: ReadonlySet<string> = new Set([
  'INFO',
  'CLIENT LIST',
  'CLIENT INFO',
  'CLUSTER INFO',
  'CLUSTER NODES',
]);

/** The reply to a command: some texts are marked as such. */
export function encodeAnswer3(reply: Reply, args: readonly Bytes[]): Bytes {
  if (typeof reply !== 'string') return encodeReply3(reply);
  const name = args[0]!.toUpperCase();
  const full = name === 'CLIENT' || name === 'CLUSTER' ? `${name} ${(args[1] ?? '').toUpperCase()}` : name;
  return VERBATIM.has(full) ? `=${reply.length + 4}\r\ntxt:${reply}\r\n` : encodeReply3(reply);
}
