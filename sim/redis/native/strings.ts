import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { isCondition, verdictOf, type Condition } from './conditions.js';
import { command, NOT_INTEGER, SYNTAX, wrongArity, WRONG_TYPE, type Command } from './command.js';
import { keepExact, shareExact } from './deadlines.js';
import type { Engine } from './engine.js';
import type { Entry, StringEntry } from './entry.js';
import { invalidExpire } from './expiry.js';
import { parseInteger, spanMs } from './numbers.js';

const NX = 1;
const XX = 2;
const GET = 4;
const KEEP_TTL = 8;
const EX = 16;
const PX = 32;
const EXAT = 64;
const PXAT = 128;
const PERSIST = 256;
const TIMED = EX | PX | EXAT | PXAT;

/** Options of SET by their usual spellings; others go through {@link optionFlag}. */
const SET_OPTIONS = new Map<string, number>([
  ['nx', NX],
  ['xx', XX],
  ['get', GET],
  ['keepttl', KEEP_TTL],
  ['ex', EX],
  ['px', PX],
  ['exat', EXAT],
  ['pxat', PXAT],
  ['persist', PERSIST],
]);
for (const [name, flag] of [...SET_OPTIONS]) SET_OPTIONS.set(name.toUpperCase(), flag);

function optionFlag(option: Bytes): number {
  return SET_OPTIONS.get(option) ?? SET_OPTIONS.get(option.toLowerCase()) ?? 0;
}

/** What an option excludes. */
function conflicts(flag: number): number {
  switch (flag) {
    case NX:
      return XX;
    case XX:
      return NX;
    case GET:
      return 0;
    case KEEP_TTL:
      return TIMED | PERSIST;
    case PERSIST:
      return TIMED;
    default:
      return (TIMED & ~flag) | KEEP_TTL | PERSIST;
  }
}

/**
 * Absolute deadline of an expiry argument of SET and its kin, or the error it deserves. Zero and negative spans, and
 * those that overflow 64 bits, are invalid.
 */
function deadlineOf(engine: Engine, text: Bytes, flag: number, name: string): number | ErrorReply {
  const amount = parseInteger(text);
  if (amount === undefined) return NOT_INTEGER;
  if (amount <= 0) return invalidExpire(name);
  return spanMs(text, unitOf(flag), baseOf(engine, flag)) ?? invalidExpire(name);
}

function unitOf(flag: number): number {
  return (flag & (EX | EXAT)) !== 0 ? 1000 : 1;
}

function baseOf(engine: Engine, flag: number): number {
  return (flag & (EX | PX)) !== 0 ? engine.store.nowMs : 0;
}

/** SET key value [NX | XX | condition] [GET] [EX | PX | EXAT | PXAT n | KEEPTTL] */
function set(engine: Engine, args: readonly Bytes[]): Reply {
  let flags = 0;
  let expiry: Bytes | undefined;
  let condition: Condition | undefined;
  for (let i = 3; i < args.length; i++) {
    const flag = optionFlag(args[i]!);
    if (flag === 0 && isCondition(engine.mode, args[i]!.toLowerCase()) && i + 1 < args.length) {
      if ((flags & (NX | XX)) !== 0 || condition !== undefined) return SYNTAX;
      condition = { word: args[i]!.toLowerCase(), operand: args[++i]! };
      continue;
    }
    if (flag === 0 || flag === PERSIST || (flags & conflicts(flag)) !== 0) return SYNTAX;
    if (condition !== undefined && (flag & (NX | XX)) !== 0) return SYNTAX;
    flags |= flag;
    if ((flag & TIMED) === 0) continue;
    expiry = args[++i];
    if (expiry === undefined) return SYNTAX;
  }
  let deadlineMs: number | null = null;
  if (expiry !== undefined) {
    const deadline = deadlineOf(engine, expiry, flags, 'set');
    if (typeof deadline !== 'number') return deadline;
    deadlineMs = deadline;
  }
  const key = args[1]!;
  const found = engine.store.find(key);
  let previous: Bytes | null = null;
  if ((flags & GET) !== 0 && found !== undefined) {
    if (found.kind !== 'string') return WRONG_TYPE;
    previous = found.value;
  }
  if (condition !== undefined) {
    const verdict = verdictOf(condition, found);
    if (verdict !== true) return verdict === false ? previous : verdict;
  }
  if (found === undefined ? (flags & XX) !== 0 : (flags & NX) !== 0) return previous;
  const entry: StringEntry = { kind: 'string', value: args[2]!, deadlineMs };
  if (expiry !== undefined) rememberDeadline(engine, entry, expiry, flags);
  else if ((flags & KEEP_TTL) !== 0 && found !== undefined) {
    entry.deadlineMs = found.deadlineMs;
    shareExact(found, entry);
  }
  engine.store.put(key, entry);
  return (flags & GET) !== 0 ? previous : OK;
}

/** Keeps a deadline that {@link deadlineOf} gave to the last digit, if a number can't. */
function rememberDeadline(engine: Engine, entry: Entry, text: Bytes, flag: number): void {
  if (Number.isSafeInteger(entry.deadlineMs)) return;
  keepExact(entry, entry.deadlineMs!, text, unitOf(flag), baseOf(engine, flag));
}

function setWithSpan(engine: Engine, args: readonly Bytes[], flag: number, name: string): Reply {
  const deadlineMs = deadlineOf(engine, args[2]!, flag, name);
  if (typeof deadlineMs !== 'number') return deadlineMs;
  const entry: StringEntry = { kind: 'string', value: args[3]!, deadlineMs };
  rememberDeadline(engine, entry, args[2]!, flag);
  engine.store.put(args[1]!, entry);
  return OK;
}

function put(engine: Engine, key: Bytes, value: Bytes): void {
  // An expired key is removed first, and reported as such.
  engine.store.find(key);
  engine.store.put(key, { kind: 'string', value, deadlineMs: null });
}

function setNx(engine: Engine, args: readonly Bytes[]): Reply {
  if (engine.store.find(args[1]!) !== undefined) return 0;
  engine.store.put(args[1]!, { kind: 'string', value: args[2]!, deadlineMs: null });
  return 1;
}

function get(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = engine.store.find(args[1]!);
  if (entry === undefined) return null;
  return entry.kind === 'string' ? entry.value : WRONG_TYPE;
}

function getSet(engine: Engine, args: readonly Bytes[]): Reply {
  const previous = get(engine, args);
  if (previous instanceof ErrorReply) return previous;
  engine.store.put(args[1]!, { kind: 'string', value: args[2]!, deadlineMs: null });
  return previous;
}

function getDel(engine: Engine, args: readonly Bytes[]): Reply {
  const value = get(engine, args);
  if (typeof value === 'string') engine.store.remove(args[1]!);
  return value;
}

/** GETEX key [EX | PX | EXAT | PXAT n | PERSIST] */
function getEx(engine: Engine, args: readonly Bytes[]): Reply {
  let flags = 0;
  let expiry: Bytes | undefined;
  for (let i = 2; i < args.length; i++) {
    const flag = optionFlag(args[i]!);
    if ((flag & (TIMED | PERSIST)) === 0 || (flags & conflicts(flag)) !== 0) return SYNTAX;
    flags |= flag;
    if ((flag & TIMED) === 0) continue;
    expiry = args[++i];
    if (expiry === undefined) return SYNTAX;
  }
  const { store } = engine;
  const key = args[1]!;
  const entry = store.find(key);
  if (entry === undefined) return null;
  if (entry.kind !== 'string') return WRONG_TYPE;
  if (expiry !== undefined) {
    const deadline = deadlineOf(engine, expiry, flags, 'getex');
    if (typeof deadline !== 'number') return deadline;
    if ((flags & (EXAT | PXAT)) !== 0 && deadline <= store.nowMs) store.remove(key);
    else {
      keepExact(entry, deadline, expiry, unitOf(flags), baseOf(engine, flags));
      store.setDeadline(key, entry, deadline);
    }
  } else if ((flags & PERSIST) !== 0 && entry.deadlineMs !== null) {
    store.setDeadline(key, entry, null);
  }
  return entry.value;
}

function mset(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length % 2 === 0) return wrongArity('mset');
  for (let i = 1; i < args.length; i += 2) put(engine, args[i]!, args[i + 1]!);
  return OK;
}

function msetNx(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length % 2 === 0) return wrongArity('msetnx');
  for (let i = 1; i < args.length; i += 2) if (engine.store.find(args[i]!) !== undefined) return 0;
  for (let i = 1; i < args.length; i += 2) put(engine, args[i]!, args[i + 1]!);
  return 1;
}

function mget(engine: Engine, args: readonly Bytes[]): Reply {
  const values: (Bytes | null)[] = [];
  for (let i = 1; i < args.length; i++) {
    const entry = engine.store.find(args[i]!);
    values.push(entry !== undefined && entry.kind === 'string' ? entry.value : null);
  }
  return values;
}

/** Changes a string in place, keeping its deadline, or creates it. */
export function write(engine: Engine, key: Bytes, entry: Entry | undefined, value: Bytes): void {
  if (entry === undefined) {
    engine.store.put(key, { kind: 'string', value, deadlineMs: null });
  } else {
    entry.value = value;
    engine.store.changed(key, entry);
  }
}

function append(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = engine.store.find(args[1]!);
  if (entry !== undefined && entry.kind !== 'string') return WRONG_TYPE;
  const value = (entry?.value ?? '') + args[2]!;
  write(engine, args[1]!, entry, value);
  return value.length;
}

function strlen(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = engine.store.find(args[1]!);
  if (entry === undefined) return 0;
  return entry.kind === 'string' ? entry.value.length : WRONG_TYPE;
}

export const STRINGS: readonly Command[] = [
  command('set', set),
  command('get', get),
  command('setnx', setNx),
  command('setex', (engine, args) => setWithSpan(engine, args, EX, 'setex')),
  command('psetex', (engine, args) => setWithSpan(engine, args, PX, 'psetex')),
  command('getset', getSet),
  command('getdel', getDel),
  command('getex', getEx),
  command('mset', mset),
  command('msetnx', msetNx),
  command('mget', mget),
  command('append', append),
  command('strlen', strlen),
];
