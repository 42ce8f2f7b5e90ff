import { ErrorReply, NilArrayReply, OK, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { inResp2 } from '../resp.js';
import { formatDouble } from '../native/numbers.js';
import { raiseReply } from './errors.js';
import { LuaTable, type LuaValue } from './table.js';

/** What a script gets for a reply: nil becomes false, a status `{ok=}`, an error `{err=}`, an array a table. */
export function replyToLua(reply: Reply): LuaValue {
  if (typeof reply === 'string' || typeof reply === 'number') return reply;
  if (reply === null) return false;
  if (reply instanceof StatusReply) return single('ok', reply.text);
  if (reply instanceof ErrorReply) return single('err', reply.text);
  if (typeof reply === 'bigint') return Number(reply);
  if (reply instanceof NilArrayReply) return false;
  const plain = inResp2(reply);
  if (!Array.isArray(plain)) return replyToLua(plain);
  return new LuaTable((plain as readonly Reply[]).map(replyToLua));
}

export function single(field: 'ok' | 'err', text: string): LuaTable {
  const table = new LuaTable();
  table.set(field, text);
  return table;
}

/** C's conversion of a double to a 64-bit integer: towards zero; what does not fit becomes the smallest one. */
export function truncate(value: number): number {
  const whole = Math.trunc(value);
  if (!(whole >= -(2 ** 63) && whole < 2 ** 63)) return -(2 ** 63);
  return whole === 0 ? 0 : whole;
}

/** Nesting that Lua's C stack would not survive. */
const MAX_DEPTH = 1990;

/** What a client gets for a script's value. */
export function luaToReply(value: LuaValue, depth = 0): Reply {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return truncate(value);
    case 'boolean':
      return value ? 1 : null;
    case 'object':
      return tableToReply(value, depth);
    default:
      return null;
  }
}

function tableToReply(table: LuaTable, depth: number): Reply {
  if (depth > MAX_DEPTH) return new ErrorReply('ERR reached lua stack limit');
  const error = table.get('err');
  if (typeof error === 'string') return new ErrorReply(oneLine(error));
  const status = table.get('ok');
  if (typeof status === 'string') return status === 'OK' ? OK : new StatusReply(oneLine(status));
  const items: Reply[] = [];
  for (let i = 1; ; i++) {
    const item = table.get(i);
    if (item === undefined) return items;
    items.push(luaToReply(item, depth + 1));
  }
}

function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text;
}

const BAD_ARGUMENT = 'ERR Lua redis lib command arguments must be strings or integers';

/** An argument of `redis.call` as the command sees it; numbers as C's `%.17g`. */
export function commandArgument(value: LuaValue, line: number): Bytes {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  return raiseReply(line, BAD_ARGUMENT);
}
