import { ErrorReply } from '../keyspace.js';
import { formatDouble } from '../native/numbers.js';
import { A_THREAD, LuaTable, NullPointer, type LuaValue } from './table.js';

/** A raised Lua error: its value, and the line that raised it. Not an `Error`: a stack would cost more than the script. */
export class LuaError {
  constructor(
    readonly value: LuaValue,
    readonly line: number,
  ) {}
}

/** Raises what Lua itself raises: a message that begins with its place. */
export function raise(line: number, message: string): never {
  throw new LuaError(`user_script:${line}: ${message}`, line);
}

/** Raises an error reply, as `redis.call` does. */
export function raiseReply(line: number, text: string): never {
  const table = new LuaTable();
  table.set('err', text);
  throw new LuaError(table, line);
}

/** Lua's name of a value's type. */
export function typeName(value: LuaValue): string {
  switch (typeof value) {
    case 'undefined':
      return 'nil';
    case 'object':
      return value instanceof LuaTable ? 'table' : 'userdata';
    case 'function':
      return value === A_THREAD ? 'thread' : 'function';
    default:
      return typeof value;
  }
}

/** As Lua 5.1 writes numbers: `%.14g`. */
export function numberText(value: number): string {
  if (Number.isNaN(value)) return '-nan';
  return formatDouble(value, 14);
}

/** What Redis 7.0 answers for a script that raised `value`. */
export function scriptErrorReply(value: LuaValue, sha: string, line: number): ErrorReply {
  let text: string;
  if (value instanceof LuaTable) {
    const message = value.get('err');
    text =
      typeof message === 'string' ? message : typeof message === 'number' ? numberText(message) : '(null)';
  } else {
    text = `ERR ${value instanceof NullPointer ? 'userdata: (nil)' : String(value ?? 'nil')}`;
  }
  return new ErrorReply(`${text} script: ${sha}, on @user_script:${line}.`.replace(/[\r\n]/g, ' '));
}
