/** Arguments of library functions, checked as Lua's auxiliary library checks them. */
import { numberText, raise, typeName } from './errors.js';
import { toNumber } from './runtime.js';
import { LuaTable, type LuaValue } from './table.js';

export function badArgument(line: number, position: number, name: string, detail: string): never {
  return raise(line, `bad argument #${position} to '${name}' (${detail})`);
}

function kindOf(args: readonly LuaValue[], position: number): string {
  return position > args.length ? 'no value' : typeName(args[position - 1]);
}

export function tableArgument(
  line: number,
  args: readonly LuaValue[],
  position: number,
  name: string,
): LuaTable {
  const value = args[position - 1];
  if (value instanceof LuaTable) return value;
  return badArgument(line, position, name, `table expected, got ${kindOf(args, position)}`);
}

export function numberArgument(
  line: number,
  args: readonly LuaValue[],
  position: number,
  name: string,
): number {
  const number = toNumber(args[position - 1]);
  if (number !== undefined) return number;
  return badArgument(line, position, name, `number expected, got ${kindOf(args, position)}`);
}

export function integerArgument(
  line: number,
  args: readonly LuaValue[],
  position: number,
  name: string,
  fallback?: number,
): number {
  if (fallback !== undefined && args[position - 1] === undefined) return fallback;
  return Math.trunc(numberArgument(line, args, position, name));
}

export function stringArgument(
  line: number,
  args: readonly LuaValue[],
  position: number,
  name: string,
): string {
  const value = args[position - 1];
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  return badArgument(line, position, name, `string expected, got ${kindOf(args, position)}`);
}
