import {
  DoubleReply,
  ErrorReply,
  MapReply,
  NilArrayReply,
  OK,
  SetReply,
  StatusReply,
  type Bytes,
  type Reply,
} from '../keyspace.js';
import { inResp2 } from '../resp.js';
import { formatDouble } from '../native/numbers.js';
import { raiseReply } from './errors.js';
import { LuaTable, type LuaValue } from './table.js';

/**
 * What a script gets for a reply: nil becomes false, a status `{ok=}`, an error `{err=}`, an array a table. After
 * `redis.setresp(3)` nil is nil, and maps, sets and doubles become `{map=}`, `{set=}` and `{double=}`.
 */
export function replyToLua(reply: Reply, protocol: 2 | 3): LuaValue {
  if (typeof reply === 'string' || typeof reply === 'number') return reply;
  if (reply === null || reply instanceof NilArrayReply) return protocol === 3 ? undefined : false;
  if (typeof reply === 'bigint') return Number(reply);
  if (reply instanceof StatusReply) return single('ok', reply.text);
  if (reply instanceof ErrorReply) return callError(reply.text);
  if (protocol === 3) return replyOf3(reply);
  const plain = inResp2(reply);
  if (!Array.isArray(plain)) return replyToLua(plain, 2);
  return new LuaTable((plain as readonly Reply[]).map((item) => replyToLua(item, 2)));
}

function replyOf3(reply: Exclude<Reply, string | number | bigint | null>): LuaTable {
  if (reply instanceof DoubleReply) return single('double', reply.value);
  const table = new LuaTable();
  if (reply instanceof MapReply) {
    for (let i = 0; i < reply.pairs.length; i += 2) {
      table.set(replyToLua(reply.pairs[i]!, 3), replyToLua(reply.pairs[i + 1]!, 3));
    }
    return single('map', table);
  }
  if (reply instanceof SetReply) {
    for (const member of reply.members) table.set(replyToLua(member, 3), true);
    return single('set', table);
  }
  (reply as readonly Reply[]).forEach((item, i) => table.set(i + 1, replyToLua(item, 3)));
  return table;
}

/** The error of a command that a script called: Redis marks it as counted already. */
function callError(text: string): LuaTable {
  const table = single('err', text);
  table.set('ignore_error_stats_update', true);
  return table;
}

export function single(field: 'ok' | 'err' | 'double' | 'map' | 'set', value: LuaValue): LuaTable {
  const table = new LuaTable();
  table.set(field, value);
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

/** What a client gets for a script's value. `protocol`: of the script. */
export function luaToReply(value: LuaValue, protocol: 2 | 3 = 2, depth = 0): Reply {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number': {
      const whole = truncate(value);
      return Number.isSafeInteger(whole) ? whole : BigInt(whole);
    }
    case 'boolean':
      return value ? 1 : protocol === 3 ? 0 : null;
    case 'object':
      return value instanceof LuaTable ? tableToReply(value, protocol, depth) : null;
    default:
      return null;
  }
}

function tableToReply(table: LuaTable, protocol: 2 | 3, depth: number): Reply {
  if (depth > MAX_DEPTH) return new ErrorReply('ERR reached lua stack limit');
  const error = table.get('err');
  if (typeof error === 'string') return new ErrorReply(oneLine(error));
  const status = table.get('ok');
  if (typeof status === 'string') return status === 'OK' ? OK : new StatusReply(oneLine(status));
  const typed = typedReply(table, protocol, depth + 1);
  if (typed !== undefined) return typed;
  const items: Reply[] = [];
  for (let i = 1; ; i++) {
    const item = table.get(i);
    if (item === undefined) return items;
    items.push(luaToReply(item, protocol, depth + 1));
  }
}

/** Tables that stand for what only RESP3 has. Big numbers and verbatim strings are shown as RESP2 shows them. */
function typedReply(table: LuaTable, protocol: 2 | 3, depth: number): Reply | undefined {
  if (!table.hasFields) return undefined;
  const double = table.get('double');
  if (typeof double === 'number') return Number.isNaN(double) ? '-nan' : new DoubleReply(double);
  const map = table.get('map');
  if (map instanceof LuaTable) {
    const pairs = map.keys().flatMap((key) => [key, map.get(key)]);
    return new MapReply(pairs.map((each) => luaToReply(each, protocol, depth)));
  }
  const set = table.get('set');
  if (set instanceof LuaTable) {
    return new SetReply(set.keys().map((member) => luaToReply(member, protocol, depth)));
  }
  const bigNumber = table.get('big_number');
  if (typeof bigNumber === 'string') return oneLine(bigNumber);
  const verbatim = table.get('verbatim_string');
  if (!(verbatim instanceof LuaTable)) return undefined;
  const text = verbatim.get('string');
  return typeof text === 'string' && typeof verbatim.get('format') === 'string' ? text : undefined;
}

function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]/g, ' ') : text;
}

const BAD_ARGUMENT = 'ERR Lua redis lib command arguments must be strings or integers';

/** An argument of `redis.call` as the command sees it; numbers as C's `%.17g`. */
export function commandArgument(value: LuaValue, line: number): Bytes {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isNaN(value) ? '-nan' : formatDouble(value);
  return raiseReply(line, BAD_ARGUMENT);
}
