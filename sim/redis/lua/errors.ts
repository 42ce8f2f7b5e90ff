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
  if (Number.isInteger(value) && Math.abs(value) < 1e14) return formatDouble(value, 14);
  return formatDouble(roundedToEven(value, 14), 14);
}

/** JavaScript rounds a decimal tie up, C to the even digit: where that differs, the number just below the tie. */
function roundedToEven(value: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  if (!/[02468]5$/.test(mantissa)) return value;
  // Up to 100 digits since ES2018.
  // oxlint-disable-next-line oxc/number-arg-out-of-range
  const exact = value.toExponential(60).split('e')[0]!;
  if (!/^0*$/.test(exact.slice(mantissa.length))) return value;
  return Number(`${mantissa.slice(0, -1)}e${exponent}`);
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
