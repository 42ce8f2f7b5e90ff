import {
  DoubleReply,
  ErrorReply,
  MapReply,
  NIL_ARRAY,
  NilArrayReply,
  OK,
  SetReply,
  StatusReply,
  type Bytes,
  type Reply,
} from './keyspace.js';
import { formatDouble } from './native/numbers.js';

/** A command as RESP2 puts it on the wire: an array of bulk strings. */
export function encodeCommand(args: readonly Bytes[]): Bytes {
  let out = `*${args.length}\r\n`;
  for (const arg of args) out += `$${arg.length}\r\n${arg}\r\n`;
  return out;
}

/** A reply as RESP2 puts it on the wire. */
export function encodeReply(reply: Reply): Bytes {
  if (typeof reply === 'string') return `$${reply.length}\r\n${reply}\r\n`;
  if (typeof reply === 'number' || typeof reply === 'bigint') return `:${reply}\r\n`;
  if (reply === null) return '$-1\r\n';
  if (reply instanceof StatusReply) return `+${reply.text}\r\n`;
  if (reply instanceof ErrorReply) return `-${reply.text}\r\n`;
  if (reply instanceof NilArrayReply) return '*-1\r\n';
  const plain = inResp2(reply);
  if (!Array.isArray(plain)) return encodeReply(plain);
  return `*${plain.length}\r\n${(plain as readonly Reply[]).map(encodeReply).join('')}`;
}

/** The reply as RESP2 shows it: no maps, sets and doubles. */
export function inResp2(reply: Reply): Reply {
  if (typeof reply !== 'object' || reply === null) return reply;
  if (reply instanceof StatusReply || reply instanceof ErrorReply || reply instanceof NilArrayReply)
    return reply;
  if (reply instanceof DoubleReply) return formatDouble(reply.value);
  if (reply instanceof MapReply) return reply.pairs.map(inResp2);
  if (reply instanceof SetReply) return reply.members.map(inResp2);
  return (reply as readonly Reply[]).map(inResp2);
}

/** Takes RESP2 replies out of a stream of bytes that may be cut anywhere. */
export class ReplyDecoder {
  #buffer = '';

  /** Part of a reply is here, and the rest is not. */
  get midway(): boolean {
    return this.#buffer !== '';
  }

  /** The replies that these bytes complete. */
  push(bytes: Bytes): Reply[] {
    this.#buffer += bytes;
    const replies: Reply[] = [];
    let from = 0;
    for (;;) {
      const decoded = decode(this.#buffer, from);
      if (decoded === undefined) break;
      replies.push(decoded.reply);
      from = decoded.end;
    }
    this.#buffer = this.#buffer.slice(from);
    return replies;
  }
}

function decode(buffer: Bytes, from: number): { reply: Reply; end: number } | undefined {
  const lineEnd = buffer.indexOf('\r\n', from);
  if (lineEnd < 0) return undefined;
  const line = buffer.slice(from + 1, lineEnd);
  const end = lineEnd + 2;
  switch (buffer[from]) {
    case '+':
      return { reply: line === 'OK' ? OK : new StatusReply(line), end };
    case '-':
      return { reply: new ErrorReply(line), end };
    case ':':
      return { reply: integer(line), end };
    case '$': {
      const length = Number(line);
      if (length < 0) return { reply: null, end };
      if (buffer.length < end + length + 2) return undefined;
      return { reply: buffer.slice(end, end + length), end: end + length + 2 };
    }
    case '*':
      return decodeArray(buffer, end, Number(line));
    default:
      throw new Error(`not RESP2: ${JSON.stringify(buffer.slice(from, from + 40))}`);
  }
}

function integer(line: string): number | bigint {
  const value = Number(line);
  return Number.isSafeInteger(value) ? value : BigInt(line);
}

function decodeArray(buffer: Bytes, from: number, length: number): { reply: Reply; end: number } | undefined {
  if (length < 0) return { reply: NIL_ARRAY, end: from };
  const items: Reply[] = [];
  let end = from;
  for (let i = 0; i < length; i++) {
    const item = decode(buffer, end);
    if (item === undefined) return undefined;
    items.push(item.reply);
    end = item.end;
  }
  return { reply: items, end };
}
