/**
 * Makes fengari, a Lua 5.3, count as Lua 5.1 does: all numbers are doubles (fengari's integers have 32 bits) and are
 * written with `%.14g`; tables have no `__len`; and some are read-only, as in Redis's own Lua. The functions that are
 * replaced are looked up by fengari at each use.
 */
// First: its parts import one another in circles, and load only from the whole.
import 'fengari';
import lobject from 'fengari/src/lobject.js';
import ldebug from 'fengari/src/ldebug.js';
import lstring from 'fengari/src/lstring.js';
import ltable, { type Table } from 'fengari/src/ltable.js';
import ltm from 'fengari/src/ltm.js';
import { numberText } from './errors.js';
import { toNumber } from './runtime.js';

export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export function fromBytes(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += String.fromCharCode(bytes[i]!);
  return text;
}

export function countAsLua51(): void {
  lobject.luaO_str2num = (bytes, into) => {
    // The lexer hands over a buffer that ends with a zero byte.
    const end = bytes.indexOf(0);
    const text = fromBytes(end < 0 ? bytes : bytes.subarray(0, end));
    const value = toNumber(text);
    if (value === undefined) return 0;
    into.setfltvalue(value);
    return text.length + 1;
  };
  lobject.luaO_tostring = (L, value) => {
    value.setsvalue(lstring.luaS_bless(L, toBytes(numberText(value.value))));
  };
}

const readOnly = new WeakSet<Table>();
let locked = true;

export function makeReadOnly(table: Table): void {
  readOnly.add(table);
}

export function isReadOnly(table: unknown): boolean {
  return readOnly.has(table as Table);
}

/** Lets `change` write to read-only tables. */
export function unlocked(change: () => void): void {
  locked = false;
  change();
  locked = true;
}

export const READ_ONLY_TABLE = 'Attempt to modify a readonly table';

export function protectTables(): void {
  const plainSet = ltable.luaH_setfrom;
  ltable.luaH_setfrom = (L, table, key, value) => {
    if (locked && readOnly.has(table)) ldebug.luaG_runerror(L, toBytes(READ_ONLY_TABLE));
    plainSet(L, table, key, value);
  };
  const plainSetInteger = ltable.luaH_setint;
  ltable.luaH_setint = (table, key, value) => {
    const fresh = !table.strong.has(key);
    plainSetInteger(table, key, value);
    if (fresh) keepInOrder(table, key);
  };
  const plainMethod = ltm.fasttm;
  ltm.fasttm = (L, metatable, event) => (event === ltm.TMS.TM_LEN ? null : plainMethod(L, metatable, event));
}

/** Constructors store their items last to first; `next` meets them first to last: a new entry goes before its successor's. */
function keepInOrder(table: Table, key: number): void {
  const entry = table.strong.get(key);
  const successor = table.strong.get(key + 1);
  if (entry === undefined || successor === undefined || entry !== table.l || entry.p === undefined) return;
  table.l = entry.p;
  table.l.n = undefined;
  entry.p = successor.p;
  entry.n = successor;
  if (successor.p === undefined) table.f = entry;
  else successor.p.n = entry;
  successor.p = entry;
}

/** How Lua 5.1 shows a byte that begins no token. */
function oneByteToken(code: number): string {
  const control = code < 32 || code === 127;
  return control ? `char(${code})` : String.fromCharCode(code);
}

/** Lua 5.3's words for an operand, turned into those of Lua 5.1. */
export function wordedAsLua51(message: string): string {
  return message
    .replace(/^prelude:\d+: /, '')
    .replace(/(invalid capture index) %\d+.*/, '$1')
    .replace(/ \(constant '.*'\)$/s, '')
    .replace(
      /attempt to ([a-z ]+?) an? (\w+) value \((\w+) '([^']*)'\)/,
      "attempt to $1 $3 '$4' (a $2 value)",
    )
    .replace(
      /attempt to get length of an? (\w+) value \((\w+) '([^']*)'\)/,
      "attempt to get length of $2 '$3' (a $1 value)",
    )
    .replace(
      /^attempt to load a binary chunk .*/,
      '[string "\x1bLua"]:1: unexpected symbol near \'char(27)\'',
    )
    .replace(/: syntax error near /, ": '=' expected near ")
    .replace(/near '<\\(\d+)>'/, (_near, code: string) => `near '${oneByteToken(Number(code))}'`)
    .replace(/(near |: )<(eof|name)>/, "$1'<$2>'");
}
