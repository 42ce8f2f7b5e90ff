import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { command, NOT_INTEGER, type Command, errorShowing } from './command.js';
import { exactDeadline, keepExact } from './deadlines.js';
import type { Engine } from './engine.js';
import type { Entry } from './entry.js';
import { exactSpanMs, integerReply, parseInteger, spanMs } from './numbers.js';

export function invalidExpire(name: string): ErrorReply {
  return new ErrorReply(`ERR invalid expire time in '${name}' command`);
}

const NX = 1;
const XX = 2;
const GT = 4;
const LT = 8;
const FLAGS: ReadonlyMap<string, number> = new Map(Object.entries({ nx: NX, xx: XX, gt: GT, lt: LT }));

/** The conditions of EXPIRE and its kin, or the error they deserve. */
function readConditions(args: readonly Bytes[]): number | ErrorReply {
  let flags = 0;
  for (let i = 3; i < args.length; i++) {
    const option = args[i] ?? '';
    const flag = FLAGS.get(option.toLowerCase());
    if (flag === undefined) return errorShowing('ERR Unsupported option ', option);
    flags |= flag;
  }
  if ((flags & NX) !== 0 && (flags & (XX | GT | LT)) !== 0) {
    return new ErrorReply('ERR NX and XX, GT or LT options at the same time are not compatible');
  }
  if ((flags & GT) !== 0 && (flags & LT) !== 0) {
    return new ErrorReply('ERR GT and LT options at the same time are not compatible');
  }
  return flags;
}

/** `unitMs` of the argument; `absolute`: a time, not a span. */
function expire(
  engine: Engine,
  args: readonly Bytes[],
  name: string,
  unitMs: number,
  absolute: boolean,
): Reply {
  const { store } = engine;
  const flags = readConditions(args);
  if (typeof flags !== 'number') return flags;
  if (parseInteger(args[2]!) === undefined) return NOT_INTEGER;
  const baseMs = absolute ? 0 : store.nowMs;
  const when = spanMs(args[2]!, unitMs, baseMs);
  if (when === undefined) return invalidExpire(name);

  const key = args[1]!;
  const entry = store.find(key);
  if (entry === undefined) return 0;
  if (flags !== 0 && !conditionsHold(entry, flags, args[2]!, unitMs, baseMs)) return 0;
  if (when <= store.nowMs && !store.mode.replica) store.remove(key);
  else {
    keepExact(entry, when, args[2]!, unitMs, baseMs);
    store.setDeadline(key, entry, when);
  }
  return 1;
}

function conditionsHold(entry: Entry, flags: number, text: Bytes, unitMs: number, baseMs: number): boolean {
  // A key without expiry counts as living for ever.
  if (entry.deadlineMs === null) return (flags & (XX | GT)) === 0;
  if ((flags & NX) !== 0) return false;
  const current = exactDeadline(entry);
  const when = exactSpanMs(text, unitMs, baseMs);
  return !((flags & GT) !== 0 && when <= current) && !((flags & LT) !== 0 && when >= current);
}

function persist(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  const entry = engine.store.find(key);
  if (entry === undefined || entry.deadlineMs === null) return 0;
  engine.store.setDeadline(key, entry, null);
  return 1;
}

function timeLeft(engine: Engine, key: Bytes, seconds: boolean, absolute: boolean): Reply {
  const entry = engine.store.find(key);
  if (entry === undefined) return -2;
  if (entry.deadlineMs === null) return -1;
  if (!Number.isSafeInteger(entry.deadlineMs)) return longTimeLeft(engine, entry, seconds, absolute);
  const ms = absolute ? entry.deadlineMs : Math.max(0, entry.deadlineMs - engine.store.nowMs);
  return seconds ? Math.floor((ms + 500) / 1000) : ms;
}

/** As above, exactly. */
function longTimeLeft(engine: Engine, entry: Entry, seconds: boolean, absolute: boolean): Reply {
  const deadline = exactDeadline(entry);
  const ms = absolute ? deadline : deadline - BigInt(engine.store.nowMs);
  return integerReply(seconds ? (ms + 500n) / 1000n : ms);
}

export const EXPIRY: readonly Command[] = [
  command('expire', (engine, args) => expire(engine, args, 'expire', 1000, false)),
  command('pexpire', (engine, args) => expire(engine, args, 'pexpire', 1, false)),
  command('expireat', (engine, args) => expire(engine, args, 'expireat', 1000, true)),
  command('pexpireat', (engine, args) => expire(engine, args, 'pexpireat', 1, true)),
  command('persist', persist),
  command('ttl', (engine, args) => timeLeft(engine, args[1]!, true, false)),
  command('pttl', (engine, args) => timeLeft(engine, args[1]!, false, false)),
  command('expiretime', (engine, args) => timeLeft(engine, args[1]!, true, true)),
  command('pexpiretime', (engine, args) => timeLeft(engine, args[1]!, false, true)),
];
