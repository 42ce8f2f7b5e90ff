/** `cjson.encode`, as lua-cjson 2.1 does it. */
import { formatDouble } from '../native/numbers.js';
import { badArgument } from './arguments.js';
import { raise, typeName } from './errors.js';
import type { JsonSettings } from './json-settings.js';
import { NullPointer, type LuaTable, type LuaValue } from './table.js';

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '/': '\\/',
  '\\': '\\\\',
};

function quoted(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = text.replace(/[\0-\x1f"/\\\x7f]/g, (character) => {
    return ESCAPES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

class Encoder {
  constructor(
    readonly settings: JsonSettings,
    readonly line: number,
  ) {}

  value(value: LuaValue, depth: number): string {
    switch (typeof value) {
      case 'string':
        return quoted(value);
      case 'number':
        return this.#number(value);
      case 'boolean':
        return value ? 'true' : 'false';
      case 'undefined':
        return 'null';
      case 'object':
        return value instanceof NullPointer ? 'null' : this.#table(value, depth + 1);
      default:
        return raise(this.line, `Cannot serialise ${typeName(value)}: type not supported`);
    }
  }

  #number(value: number): string {
    if (Number.isFinite(value)) return formatDouble(value, this.settings.precision);
    switch (this.settings.encodeInvalid) {
      case 'null':
        return 'null';
      case 'on':
        return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
      case 'off':
        return raise(this.line, 'Cannot serialise number: must not be NaN or Inf');
    }
  }

  #table(table: LuaTable, depth: number): string {
    if (depth > this.settings.encodeMaxDepth) {
      raise(this.line, `Cannot serialise, excessive nesting (${depth})`);
    }
    const keys = table.keys();
    const length = this.#arrayLength(keys);
    const parts: string[] = [];
    if (length > 0) {
      for (let i = 1; i <= length; i++) parts.push(this.value(table.get(i), depth));
      return `[${parts.join(',')}]`;
    }
    for (const key of keys) parts.push(`${this.#key(key)}:${this.value(table.get(key), depth)}`);
    return `{${parts.join(',')}}`;
  }

  #key(key: LuaValue): string {
    if (typeof key === 'string') return quoted(key);
    if (typeof key === 'number') return `"${this.#number(key)}"`;
    return raise(this.line, `Cannot serialise ${typeName(key)}: table key must be a number or string`);
  }

  /** The highest index of an array; 0: empty; -1: an object. */
  #arrayLength(keys: readonly LuaValue[]): number {
    let most = 0;
    for (const key of keys) {
      if (typeof key !== 'number' || key < 1 || !Number.isInteger(key)) return -1;
      if (key > most) most = key;
    }
    const { sparseRatio, sparseSafe, sparseConvert } = this.settings;
    if (sparseRatio > 0 && most > keys.length * sparseRatio && most > sparseSafe) {
      if (!sparseConvert) raise(this.line, 'Cannot serialise table: excessively sparse array');
      return -1;
    }
    return most;
  }
}

export function jsonEncode(settings: JsonSettings, line: number, ...args: LuaValue[]): string {
  if (args.length !== 1) badArgument(line, 1, 'encode', 'expected 1 argument');
  return new Encoder(settings, line).value(args[0], 0);
}
