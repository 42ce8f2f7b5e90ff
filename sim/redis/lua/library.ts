/** The functions of Lua's and Redis's libraries that compiled scripts may call: line of the call, then the arguments. */
import { badArgument, integerArgument, numberArgument, stringArgument, tableArgument } from './arguments.js';
import { sha1Hex } from './sha1.js';
import { numberText, raise, raiseReply, LuaError, typeName } from './errors.js';
import { BIT } from './bit.js';
import { formatLua } from './format.js';
import { msgpackPack, msgpackUnpack, msgpackUnpackLimit, msgpackUnpackOne } from './msgpack.js';
import { callFunction, errorReply, index, statusReply, toNumber } from './runtime.js';
import { structPack, structSize, structUnpack } from './struct.js';
import { NullPointer, type LuaTable, type LuaValue } from './table.js';

export { HOSTED } from './redis-library.js';
export { NULL_POINTER } from './table.js';

export type LibraryFunction = (line: number, ...args: LuaValue[]) => LuaValue;

function tonumber(line: number, ...args: LuaValue[]): LuaValue {
  if (args.length === 0) return badArgument(line, 1, 'tonumber', 'value expected');
  if (args[1] === undefined || args[1] === 10) return toNumber(args[0]);
  const base = numberArgument(line, args, 2, 'tonumber');
  if (base < 2 || base > 36) return badArgument(line, 2, 'tonumber', 'base out of range');
  const text = stringArgument(line, args, 1, 'tonumber').trim().toLowerCase();
  const digits = base === 16 ? text.replace(/^0x/, '') : text;
  let value = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = '0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(digits[i]!);
    if (digit < 0 || digit >= base) return undefined;
    value = value * base + digit;
  }
  return digits === '' ? undefined : value;
}

export function textOf(value: LuaValue): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return numberText(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'undefined':
      return 'nil';
    default:
      if (value instanceof NullPointer) return 'userdata: (nil)';
      // Lua shows an address here; no two runs of a real server agree on it.
      return `${typeName(value)}: 0x0`;
  }
}

function tableInsert(line: number, ...args: LuaValue[]): undefined {
  const table = tableArgument(line, args, 1, 'insert');
  const end = table.length() + 1;
  if (args.length === 2) {
    table.set(end, args[1]);
  } else if (args.length === 3) {
    const position = integerArgument(line, args, 2, 'insert');
    for (let i = Math.max(end, position); i > position; i--) table.set(i, table.get(i - 1));
    table.set(position, args[2]);
  } else {
    raise(line, "wrong number of arguments to 'insert'");
  }
  return undefined;
}

function tableRemove(line: number, ...args: LuaValue[]): LuaValue {
  const table = tableArgument(line, args, 1, 'remove');
  const end = table.length();
  const position = integerArgument(line, args, 2, 'remove', end);
  if (!(position >= 1 && position <= end)) return undefined;
  const removed = table.get(position);
  for (let i = position; i < end; i++) table.set(i, table.get(i + 1));
  table.set(end, undefined);
  return removed;
}

function tableConcat(line: number, ...args: LuaValue[]): LuaValue {
  const table = tableArgument(line, args, 1, 'concat');
  const separator = args[1] === undefined ? '' : stringArgument(line, args, 2, 'concat');
  const first = integerArgument(line, args, 3, 'concat', 1);
  const last = args[3] === undefined ? table.length() : integerArgument(line, args, 4, 'concat');
  const parts: string[] = [];
  for (let i = first; i <= last; i++) {
    const item = table.get(i);
    if (typeof item !== 'string' && typeof item !== 'number') {
      raise(line, `invalid value (${typeName(item)}) at index ${i} in table for 'concat'`);
    }
    parts.push(typeof item === 'number' ? numberText(item) : item);
  }
  return parts.join(separator);
}

function stringSub(line: number, ...args: LuaValue[]): string {
  const text = stringArgument(line, args, 1, 'sub');
  const { length } = text;
  let from = integerArgument(line, args, 2, 'sub');
  let to = integerArgument(line, args, 3, 'sub', -1);
  if (from < 0) from = Math.max(1, length + from + 1);
  else if (from === 0) from = 1;
  if (to < 0) to = length + to + 1;
  else if (to > length) to = length;
  return from > to ? '' : text.slice(from - 1, to);
}

function stringRep(line: number, ...args: LuaValue[]): string {
  const text = stringArgument(line, args, 1, 'rep');
  // An int in C: what is beyond wraps around.
  const times = integerArgument(line, args, 2, 'rep') | 0;
  if (times <= 0) return '';
  if (text.length * times > 512 * 1024 * 1024) raise(line, 'not enough memory');
  return text.repeat(times);
}

function stringChar(line: number, ...args: LuaValue[]): string {
  const codes = args.map((_, i) => {
    const code = integerArgument(line, args, i + 1, 'char');
    return code === (code & 255) ? code : badArgument(line, i + 1, 'char', 'invalid value');
  });
  return String.fromCharCode(...codes);
}

/** Upper and lower case of ASCII only, as in the C locale. */
function asciiCase(text: string, upper: boolean): string {
  return upper
    ? text.replace(/[a-z]+/g, (part) => part.toUpperCase())
    : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
}

function extreme(
  line: number,
  args: LuaValue[],
  name: string,
  better: (a: number, b: number) => boolean,
): number {
  let best = numberArgument(line, args, 1, name);
  for (let i = 2; i <= args.length; i++) {
    const next = numberArgument(line, args, i, name);
    if (better(next, best)) best = next;
  }
  return best;
}

function sha1hex(line: number, ...args: LuaValue[]): LuaValue {
  if (args.length !== 1) raiseReply(line, 'ERR wrong number of arguments');
  const [text] = args;
  return sha1Hex(typeof text === 'string' ? text : typeof text === 'number' ? numberText(text) : '');
}

function raiseError(line: number, ...args: LuaValue[]): never {
  const [given, level] = args;
  const value = typeof given === 'number' ? numberText(given) : given;
  if (typeof value === 'string' && (level === undefined || level === 1)) return raise(line, value);
  throw new LuaError(value, line);
}

export const LIBRARY: Readonly<Record<string, LibraryFunction>> = {
  tonumber,
  tostring: (line, ...args) =>
    args.length === 0 ? badArgument(line, 1, 'tostring', 'value expected') : textOf(args[0]),
  type: (line, ...args) =>
    args.length === 0 ? badArgument(line, 1, 'type', 'value expected') : typeName(args[0]),
  error: raiseError,
  'table.insert': tableInsert,
  'table.remove': tableRemove,
  'table.concat': tableConcat,
  'table.getn': (line, ...args) => tableArgument(line, args, 1, 'getn').length(),
  'string.sub': stringSub,
  'string.rep': stringRep,
  'string.char': stringChar,
  'string.len': (line, ...args) => stringArgument(line, args, 1, 'len').length,
  'string.upper': (line, ...args) => asciiCase(stringArgument(line, args, 1, 'upper'), true),
  'string.lower': (line, ...args) => asciiCase(stringArgument(line, args, 1, 'lower'), false),
  'string.reverse': (line, ...args) => [...stringArgument(line, args, 1, 'reverse')].reverse().join(''),
  'string.format': (line, ...args) => formatLua(line, args),
  'math.floor': (line, ...args) => Math.floor(numberArgument(line, args, 1, 'floor')),
  'math.ceil': (line, ...args) => Math.ceil(numberArgument(line, args, 1, 'ceil')),
  'math.abs': (line, ...args) => Math.abs(numberArgument(line, args, 1, 'abs')),
  'math.max': (line, ...args) => extreme(line, args, 'max', (a, b) => a > b),
  'math.min': (line, ...args) => extreme(line, args, 'min', (a, b) => a < b),
  'math.pow': (line, ...args) => numberArgument(line, args, 1, 'pow') ** numberArgument(line, args, 2, 'pow'),
  'math.sqrt': (line, ...args) => Math.sqrt(numberArgument(line, args, 1, 'sqrt')),
  'redis.error_reply': (_line, ...args) => errorReply(args.length === 1 ? args[0] : undefined),
  'redis.status_reply': (_line, ...args) => statusReply(args.length === 1 ? args[0] : undefined),
  'redis.sha1hex': sha1hex,
  'cmsgpack.pack': msgpackPack,
  'struct.pack': structPack,
  'struct.size': structSize,
  ...BIT,
};

/** What fits on the stack of a C function. */
const MAX_C_STACK = 8000;

/** `unpack(t [, i [, j]])`. */
function unpack(line: number, ...args: LuaValue[]): LuaValue[] {
  const table = tableArgument(line, args, 1, 'unpack');
  const first = integerArgument(line, args, 2, 'unpack', 1);
  const last = args[2] === undefined ? table.length() : integerArgument(line, args, 3, 'unpack');
  if (args.length + last - first + 1 > MAX_C_STACK) raise(line, 'too many results to unpack');
  const values: LuaValue[] = [];
  for (let i = first; i <= last; i++) values.push(table.get(i));
  return values;
}

/** Functions with several results, as a JavaScript array to spread. */
export const SEVERAL: Readonly<Record<string, (line: number, ...args: LuaValue[]) => LuaValue[]>> = {
  unpack,
  'struct.unpack': structUnpack,
  'cmsgpack.unpack': msgpackUnpack,
  'cmsgpack.unpack_one': msgpackUnpackOne,
  'cmsgpack.unpack_limit': msgpackUnpackLimit,
};

/** `ipairs(t)` in a loop: the table, checked. */
export function iterated(line: number, name: string, ...args: LuaValue[]): LuaTable {
  return tableArgument(line, args, 1, name);
}

/** `value:method(...)`: a string's library function, or a function in a table. */
export function callMethod(
  value: LuaValue,
  method: string,
  line: number,
  name: string,
  ...args: LuaValue[]
): LuaValue {
  if (typeof value === 'string') return LIBRARY[`string.${method}`]!(line, value, ...args);
  return callFunction(index(value, method, line, name), [value, ...args], line, `method '${method}'`);
}
