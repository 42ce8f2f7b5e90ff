import { formatDouble } from '../native/numbers.js';
import { raise } from './errors.js';
import { badArgument, numberArgument, stringArgument } from './arguments.js';
import { truncate } from './convert.js';
import type { LuaValue } from './table.js';

const SPEC = /%([-+ #0]*)(\d{0,2})(?:\.(\d{0,2}))?(.)?/gs;

/** `string.format` of Lua 5.1. */
export function formatLua(line: number, args: readonly LuaValue[]): string {
  const template = stringArgument(line, args, 1, 'format');
  let next = 1;
  const integer = (position: number) => truncate(numberArgument(line, args, position, 'format'));
  return template.replace(
    SPEC,
    (whole, flags: string, width: string, precision: string | undefined, kind?: string) => {
      if (whole === '%%') return '%';
      next++;
      if (next > args.length && kind !== undefined) badArgument(line, next, 'format', 'no value');
      if (/\d/.test(kind ?? '')) raise(line, 'invalid format (width or precision too long)');
      const digits = precision === undefined ? undefined : Number(precision || 0);
      const pad = (text: string, numeric: boolean) => padded(text, flags, Number(width || 0), numeric);
      switch (kind) {
        case 'd':
        case 'i':
          return pad(integerText(integer(next), flags, digits), digits === undefined);
        case 'u':
          return pad(integerText(integer(next), '', digits), true);
        case 'c':
          return pad(String.fromCharCode(numberArgument(line, args, next, 'format') & 255), false);
        case 'x':
        case 'X':
        case 'o': {
          const value = BigInt.asUintN(64, BigInt(integer(next)));
          const text = value.toString(kind === 'o' ? 8 : 16).padStart(digits ?? 0, '0');
          return pad(kind === 'X' ? text.toUpperCase() : text, digits === undefined);
        }
        case 'f':
          return pad(signed(fixedText(numberArgument(line, args, next, 'format'), digits ?? 6), flags), true);
        case 'e':
        case 'E': {
          const text = exponentText(numberArgument(line, args, next, 'format'), digits ?? 6);
          return pad(signed(kind === 'E' ? text.toUpperCase() : text, flags), true);
        }
        case 'g':
        case 'G': {
          const text = formatDouble(
            numberArgument(line, args, next, 'format'),
            digits === 0 ? 1 : (digits ?? 6),
          );
          return pad(signed(kind === 'G' ? text.toUpperCase() : text, flags), true);
        }
        case 'q':
          return quoted(stringArgument(line, args, next, 'format'));
        case 's': {
          const text = stringArgument(line, args, next, 'format');
          return pad(digits === undefined ? text : text.slice(0, digits), false);
        }
        default:
          return raise(line, `invalid option '%${kind ?? ''}' to 'format'`);
      }
    },
  );
}

function integerText(value: number, flags: string, digits: number | undefined): string {
  const size = BigInt(Math.abs(value))
    .toString()
    .padStart(digits ?? 0, '0');
  return value < 0 ? `-${size}` : signed(size, flags);
}

function signed(text: string, flags: string): string {
  if (text.startsWith('-')) return text;
  return flags.includes('+') ? `+${text}` : flags.includes(' ') ? ` ${text}` : text;
}

function fixedText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return formatDouble(value);
  return Math.abs(value) < 1e21
    ? value.toFixed(digits)
    : BigInt(value).toString() + (digits > 0 ? `.${'0'.repeat(digits)}` : '');
}

function exponentText(value: number, digits: number): string {
  if (!Number.isFinite(value)) return formatDouble(value);
  return value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
}

function padded(text: string, flags: string, width: number, numeric: boolean): string {
  if (text.length >= width) return text;
  if (flags.includes('-')) return text.padEnd(width);
  if (!numeric || !flags.includes('0')) return text.padStart(width);
  const sign = /^[+\- ]/.test(text) ? text[0]! : '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function quoted(text: string): string {
  let out = '"';
  for (const c of text) {
    if (c === '"' || c === '\\') out += `\\${c}`;
    else if (c === '\n') out += '\\\n';
    else if (c === '\r') out += '\\r';
    else if (c === '\0') out += '\\000';
    else out += c;
  }
  return `${out}"`;
}
