import { ErrorReply, MapReply, NIL_ARRAY, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, type EntryFor } from './collections.js';
import {
  command,
  container,
  NO_SUCH_KEY,
  NOT_INTEGER,
  SYNTAX,
  wrongArity,
  wrongUseOf,
  type Command,
} from './command.js';
import type { Engine } from './engine.js';
import type { Stream, StreamItem } from './entry.js';
import { parseInteger } from './numbers.js';
import {
  BAD_ID,
  formatId,
  idOf,
  MAX_ID,
  msOf,
  parseBound,
  parseGivenId,
  parseId,
  type GivenId,
} from './stream-ids.js';
import { BLOCK_BYTES, BLOCK_ITEMS, trimStream, TrimReader } from './stream-trims.js';

const NOT_ABOVE = new ErrorReply(
  'ERR The ID specified in XADD is equal or smaller than the target stream top item',
);
const ZERO_ID = new ErrorReply('ERR The ID specified in XADD must be greater than 0-0');
const EXHAUSTED = new ErrorReply(
  'ERR The stream has exhausted the last possible ID, unable to add more items',
);

function emptyStream(): EntryFor<'stream'> {
  return {
    kind: 'stream',
    value: { entries: [], lastId: 0n, maxDeletedId: 0n, added: 0, blockBytes: 0, blockItems: 0 },
    deadlineMs: null,
  };
}

/** The identifier that a new entry gets. */
function nextId(lastId: bigint, given: GivenId, nowMs: number): bigint | ErrorReply {
  if (lastId === MAX_ID) return EXHAUSTED;
  if (given === 'auto') {
    const now = idOf(BigInt(nowMs), 0n);
    return now > lastId ? now : lastId + 1n;
  }
  let id: bigint;
  if ('id' in given) ({ id } = given);
  else id = given.ms === msOf(lastId) ? lastId + 1n : idOf(given.ms, 0n);
  // A sequence that overflowed has become another millisecond.
  return id <= lastId || ('ms' in given && msOf(id) !== given.ms) ? NOT_ABOVE : id;
}

function append(stream: Stream, id: bigint, fields: readonly Bytes[]): void {
  const last = stream.entries.at(-1);
  const bytes = fields.reduce((sum, field) => sum + field.length + 2, 8);
  const full =
    last === undefined || stream.blockItems >= BLOCK_ITEMS || stream.blockBytes + bytes > BLOCK_BYTES;
  stream.entries.push({ id, fields, block: (last?.block ?? 0) + (full ? 1 : 0) });
  stream.blockItems = full ? 1 : stream.blockItems + 1;
  stream.blockBytes = full ? bytes : stream.blockBytes + bytes;
  stream.lastId = id;
  stream.added++;
}

/** XADD key [NOMKSTREAM] [MAXLEN | MINID [= | ~] threshold [LIMIT count]] * | id field value ... */
function add(engine: Engine, args: readonly Bytes[]): Reply {
  const trims = new TrimReader(args);
  let create = true;
  let given: GivenId | undefined;
  let at = 2;
  while (given === undefined && at < args.length) {
    const next = trims.read(at);
    if (next instanceof ErrorReply) return next;
    if (next !== undefined) at = next;
    else if (args[at]!.toLowerCase() === 'nomkstream') {
      create = false;
      at++;
    } else {
      given = parseGivenId(args[at++]!);
      if (given === undefined) return BAD_ID;
    }
  }
  const trim = trims.finish();
  if (trim instanceof ErrorReply) return trim;
  const fields = args.slice(at);
  if (given === undefined || fields.length === 0 || fields.length % 2 !== 0) return wrongArity('xadd');
  if (typeof given === 'object' && 'id' in given && given.id === 0n) return ZERO_ID;
  const found = entryOf(engine, args[1]!, 'stream');
  if (found instanceof ErrorReply) return found;
  if (found === undefined && !create) return null;
  const entry = found ?? emptyStream();
  const id = nextId(entry.value.lastId, given, engine.store.nowMs);
  if (id instanceof ErrorReply) return id;
  append(entry.value, id, fields);
  if (trim !== null) trimStream(entry.value, trim);
  if (found === undefined) engine.store.put(args[1]!, entry);
  else engine.store.changed(args[1]!, entry);
  return formatId(id);
}

function trim(engine: Engine, args: readonly Bytes[]): Reply {
  const trims = new TrimReader(args);
  for (let at = 2; at < args.length;) {
    const next = trims.read(at);
    if (next === undefined) return SYNTAX;
    if (next instanceof ErrorReply) return next;
    at = next;
  }
  const asked = trims.finish();
  if (asked === null) return SYNTAX;
  if (asked instanceof ErrorReply) return asked;
  const entry = entryOf(engine, args[1]!, 'stream');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  const removed = trimStream(entry.value, asked);
  if (removed > 0) engine.store.changed(args[1]!, entry);
  return removed;
}

function remove(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'stream');
  if (entry === undefined) return 0;
  if (entry instanceof ErrorReply) return entry;
  const ids = args.slice(2).map((text) => parseId(text, 0n));
  if (ids.includes(undefined)) return BAD_ID;
  const stream = entry.value;
  let removed = 0;
  for (const id of ids as bigint[]) {
    const at = firstFrom(stream, id);
    if (stream.entries[at]?.id !== id) continue;
    stream.entries.splice(at, 1);
    if (id > stream.maxDeletedId) stream.maxDeletedId = id;
    removed++;
  }
  if (removed > 0) engine.store.changed(args[1]!, entry);
  return removed;
}

/** Index of the first entry whose identifier is not below this one. */
export function firstFrom({ entries }: Stream, id: bigint): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function itemReply({ id, fields }: StreamItem): Reply {
  return [formatId(id), fields];
}

/** XRANGE key start end [COUNT count]; XREVRANGE has its bounds the other way round. */
function range(engine: Engine, args: readonly Bytes[], reverse: boolean): Reply {
  const start = parseBound(args[reverse ? 3 : 2]!, false);
  if (start instanceof ErrorReply) return start;
  const end = parseBound(args[reverse ? 2 : 3]!, true);
  if (end instanceof ErrorReply) return end;
  let count: number | null = null;
  for (let i = 4; i < args.length; i += 2) {
    if (args[i]!.toLowerCase() !== 'count' || args[i + 1] === undefined) return SYNTAX;
    const given = parseInteger(args[i + 1]!);
    if (given === undefined) return NOT_INTEGER;
    count = Math.max(0, given);
  }
  const entry = entryOf(engine, args[1]!, 'stream');
  if (entry === undefined) return [];
  if (entry instanceof ErrorReply) return entry;
  if (count === 0) return NIL_ARRAY;
  const stream = entry.value;
  const items = stream.entries.slice(firstFrom(stream, start), firstFrom(stream, end + 1n));
  if (reverse) items.reverse();
  return items.slice(0, count ?? undefined).map(itemReply);
}

/** XINFO STREAM key. */
function info(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length > 3) return wrongUseOf('XINFO', args[1]!);
  const entry = entryOf(engine, args[2]!, 'stream');
  if (entry === undefined) return NO_SUCH_KEY;
  if (entry instanceof ErrorReply) return entry;
  const { entries, lastId, maxDeletedId, added } = entry.value;
  const blocks = new Set(entries.map(({ block }) => block)).size;
  const [first, last] = [entries[0], entries.at(-1)];
  return new MapReply([
    ...['length', entries.length],
    ...['radix-tree-keys', blocks],
    ...['radix-tree-nodes', blocks + 1],
    ...['last-generated-id', formatId(lastId)],
    ...['max-deleted-entry-id', formatId(maxDeletedId)],
    ...['entries-added', added],
    ...['recorded-first-entry-id', formatId(first?.id ?? 0n)],
    ...['groups', 0],
    ...['first-entry', first === undefined ? null : itemReply(first)],
    ...['last-entry', last === undefined ? null : itemReply(last)],
  ]);
}

function length(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = entryOf(engine, args[1]!, 'stream');
  return entry instanceof ErrorReply ? entry : (entry?.value.entries.length ?? 0);
}

export const STREAMS: readonly Command[] = [
  command('xadd', add),
  command('xtrim', trim),
  command('xdel', remove),
  command('xlen', length),
  command('xrange', (engine, args) => range(engine, args, false)),
  command('xrevrange', (engine, args) => range(engine, args, true)),
  container('xinfo', [command('xinfo|stream', info)]),
];
