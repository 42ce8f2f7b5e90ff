/** What compiled scripts call. Slow paths raise Lua's own errors; `name` is how Lua names the operand, or ''. */
import { ErrorReply, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { commandArgument, luaToReply, replyToLua, single } from './convert.js';
import { LuaError, numberText, raise, raiseReply, typeName } from './errors.js';
import type { JsonSettings } from './json-settings.js';
import type { ScriptRandom } from './random.js';
import { LuaTable, type LuaValue } from './table.js';

/** What a script needs of the server that runs it. */
export interface ScriptHost {
  /** One `redis.call`, at the script's frozen instant; `args[0]` is the command's name. */
  callFromScript(args: readonly Bytes[]): Reply;
  /** What `math.random` draws from. */
  readonly random: ScriptRandom;
  /** What scripts have set for `cjson`. */
  readonly json: JsonSettings;
  /** Which replies scripts see: 2, or 3 after `redis.setresp(3)`. */
  protocol: 2 | 3;
  /** `[major, minor, patch]` of the server. */
  readonly version: readonly [number, number, number];
  knowsCommand(args: readonly Bytes[]): boolean;
  /** Set at a script's end: turns of its loops, calls of its functions, or what an interpreter takes as long for. */
  turns: number;
}

/** Turns after which a script counts as one that never ends. */
export const TURN_LIMIT = 5_000_000;

/** Thrown out of a script that never ends; scripts can't catch it. */
export class EndlessScript {
  constructor(readonly line: number) {}
}

export function stopEndlessScript(line: number): never {
  throw new EndlessScript(line);
}

export function index(base: LuaValue, key: LuaValue, line: number, name: string): LuaValue {
  if (base instanceof LuaTable) return base.get(key);
  // A string's fields are the library's functions; scripts that name one are left to the interpreter.
  if (typeof base === 'string') return undefined;
  return raise(line, `attempt to index ${described(base, name)}`);
}

/** `KEYS[i]` or `ARGV[i]` without a table: the arguments after `before`, `size` of them. */
export function element(args: readonly Bytes[], before: number, size: number, key: LuaValue): LuaValue {
  return typeof key === 'number' && key >= 1 && key <= size && Number.isInteger(key)
    ? args[before + key]
    : undefined;
}

/** Stands for the key of an item without one in {@link record}. */
export const ITEM = () => undefined;

/** A table constructor with named fields: keys and values in turn, in the order in which they were evaluated. */
export function record(entries: LuaValue[], line: number): LuaTable {
  const items: LuaValue[] = [];
  for (let i = 0; i < entries.length; i += 2) if (entries[i] === ITEM) items.push(entries[i + 1]);
  const table = new LuaTable(items);
  for (let i = 0; i < entries.length; i += 2) {
    const key = entries[i];
    // Lua stores items last: they win over fields of the same key.
    const isItem = key === ITEM || (typeof key === 'number' && key >= 1 && key <= items.length);
    if (!isItem) setIndex(table, key, entries[i + 1], line, '');
  }
  return table;
}

export function setIndex(base: LuaValue, key: LuaValue, value: LuaValue, line: number, name: string): void {
  if (!(base instanceof LuaTable)) raise(line, `attempt to index ${described(base, name)}`);
  if (key === undefined) raise(line, 'table index is nil');
  if (key !== key) raise(line, 'table index is NaN');
  base.set(key, value);
}

function described(value: LuaValue, name: string): string {
  return name === '' ? `a ${typeName(value)} value` : `${name} (a ${typeName(value)} value)`;
}

/** Lua's coercion of a string to a number (`strtod` with blanks around it). */
export function toNumber(value: LuaValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const hex = /^([+-]?)0x([0-9a-f]+)$/i.exec(text);
  if (hex !== null) return (hex[1] === '-' ? -1 : 1) * Number(`0x${hex[2]}`);
  const power = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text);
  if (power !== null && power[2]! + power[3]! !== '') {
    const size = Number(`0x${power[2]}${power[3]}`) * 2 ** (Number(power[4] ?? 0) - 4 * power[3]!.length);
    return power[1] === '-' ? -size : size;
  }
  const named = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (named === null) return undefined;
  const size = named[2]!.toLowerCase() === 'nan' ? NaN : Infinity;
  return named[1] === '-' ? -size : size;
}

function operands(
  a: LuaValue,
  b: LuaValue,
  line: number,
  nameA: string,
  nameB: string,
): readonly [number, number] {
  const x = toNumber(a);
  if (x === undefined) return raise(line, `attempt to perform arithmetic on ${described(a, nameA)}`);
  const y = toNumber(b);
  if (y === undefined) return raise(line, `attempt to perform arithmetic on ${described(b, nameB)}`);
  return [x, y];
}

export function add(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): number {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  const [x, y] = operands(a, b, line, nameA, nameB);
  return x + y;
}

export function subtract(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [x, y] = operands(a, b, line, nameA, nameB);
  return x - y;
}

export function multiply(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): number {
  const [x, y] = operands(a, b, line, nameA, nameB);
  return x * y;
}

export function divide(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): number {
  const [x, y] = operands(a, b, line, nameA, nameB);
  return x / y;
}

export function modulo(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): number {
  const [x, y] = operands(a, b, line, nameA, nameB);
  return x - Math.floor(x / y) * y;
}

export function power(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): number {
  const [x, y] = operands(a, b, line, nameA, nameB);
  return x ** y;
}

export function negate(a: LuaValue, line: number, name: string): number {
  if (typeof a === 'number') return -a;
  return -operands(a, 0, line, name, '')[0];
}

export function concat(a: LuaValue, b: LuaValue, line: number, nameA: string, nameB: string): string {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  const aFits = typeof a === 'string' || typeof a === 'number';
  if (!aFits || (typeof b !== 'string' && typeof b !== 'number')) {
    return raise(line, `attempt to concatenate ${aFits ? described(b, nameB) : described(a, nameA)}`);
  }
  return (typeof a === 'number' ? numberText(a) : a) + (typeof b === 'number' ? numberText(b) : b);
}

export function lengthOf(a: LuaValue, line: number, name: string): number {
  if (typeof a === 'string') return a.length;
  if (a instanceof LuaTable) return a.length();
  return raise(line, `attempt to get length of ${described(a, name)}`);
}

function incomparable(a: LuaValue, b: LuaValue, line: number): never {
  const left = typeName(a);
  const right = typeName(b);
  return raise(
    line,
    left === right ? `attempt to compare two ${left} values` : `attempt to compare ${left} with ${right}`,
  );
}

export function less(a: LuaValue, b: LuaValue, line: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  if (typeof a === 'string' && typeof b === 'string') return a < b;
  return incomparable(a, b, line);
}

export function lessOrEqual(a: LuaValue, b: LuaValue, line: number): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a <= b;
  if (typeof a === 'string' && typeof b === 'string') return a <= b;
  return incomparable(a, b, line);
}

export function callFunction(value: LuaValue, args: LuaValue[], line: number, name: string): LuaValue {
  if (typeof value !== 'function') return raise(line, `attempt to call ${described(value, name)}`);
  return value(...args);
}

/** A bound of a numeric `for`; `which`: initial, limit or step. */
export function loopNumber(value: LuaValue, line: number, which: string): number {
  const number = toNumber(value);
  if (number === undefined) {
    const what = which === 'initial' ? "'for' initial value" : `'for' ${which}`;
    return raise(line, `${what} must be a number`);
  }
  return number;
}

// redis.call and its kin. `args` are Lua values; `plain` means that all of them are strings already.

export function commandArguments(args: LuaValue[], line: number): Bytes[] {
  if (args.length === 0) raiseReply(line, 'ERR Please specify at least one argument for this redis lib call');
  for (let i = 0; i < args.length; i++) {
    if (typeof args[i] !== 'string') args[i] = commandArgument(args[i], line);
  }
  return args as Bytes[];
}

/** `redis.call` whose reply goes to the client as a script's value does, or nowhere. */
export function callForReply(host: ScriptHost, args: LuaValue[], line: number): Reply {
  const reply = host.callFromScript(commandArguments(args, line));
  if (typeof reply === 'string' || typeof reply === 'number' || reply === null) return reply;
  if (reply instanceof ErrorReply) raiseReply(line, reply.text);
  if (reply instanceof StatusReply) return reply;
  return luaToReply(replyToLua(reply, host.protocol), host.protocol);
}

export function call(host: ScriptHost, args: LuaValue[], line: number): LuaValue {
  const reply = host.callFromScript(commandArguments(args, line));
  if (typeof reply === 'string' || typeof reply === 'number') return reply;
  if (reply instanceof ErrorReply) raiseReply(line, reply.text);
  return replyToLua(reply, host.protocol);
}

export function protectedCall(host: ScriptHost, args: LuaValue[], line: number): LuaValue {
  try {
    return replyToLua(host.callFromScript(commandArguments(args, line)), host.protocol);
  } catch (error) {
    if (error instanceof LuaError) return error.value;
    throw error;
  }
}

/** `redis.error_reply`. */
export function errorReply(text: LuaValue): LuaTable {
  if (typeof text !== 'string') return single('err', 'ERR wrong number or type of arguments');
  return single('err', errorText(text));
}

/** A text of several words brings its own code (with or without `-` before it); a single word gets `ERR`. */
export function errorText(text: string): string {
  const words = text.startsWith('-') ? text.slice(1) : text;
  return words.includes(' ') ? words : `ERR ${words}`;
}

export function statusReply(text: LuaValue): LuaTable {
  if (typeof text !== 'string') return single('err', 'ERR wrong number or type of arguments');
  return single('ok', text);
}
