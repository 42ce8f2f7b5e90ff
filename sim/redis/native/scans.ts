/** SCAN and its kin. Everything comes in one page, which the commands allow, with cursor 0 after it. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { entryOf, type EntryFor } from './collections.js';
import { NOT_INTEGER, SYNTAX } from './command.js';
import type { Engine } from './engine.js';
import type { EntryKind } from './entry.js';
import { matchesGlob } from './glob.js';
import { parseInteger } from './numbers.js';

const BAD_CURSOR = new ErrorReply('ERR invalid cursor');
const CURSOR_MAX = 2n ** 64n - 1n;

export function isCursor(text: Bytes): boolean {
  // As C's strtoul reads it: a sign may stand before it.
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^[+-]/, '')) <= CURSOR_MAX : text === '';
}

interface ScanOptions {
  readonly pattern: Bytes | undefined;
  readonly kind: Bytes | undefined;
}

/** [MATCH pattern] [COUNT n], and with SCAN [TYPE kind], from `at` on. */
export function readScan(args: readonly Bytes[], at: number, withType: boolean): ScanOptions | ErrorReply {
  let pattern: Bytes | undefined;
  let kind: Bytes | undefined;
  for (let i = at; i < args.length; i += 2) {
    const option = args[i]!.toLowerCase();
    const value = args[i + 1];
    if (value === undefined) return SYNTAX;
    // One star is all there is, an empty member too.
    if (option === 'match') pattern = value === '*' ? undefined : value;
    else if (option === 'type' && withType) kind = value.toLowerCase();
    else if (option === 'count') {
      const count = parseInteger(value);
      if (count === undefined) return NOT_INTEGER;
      if (count < 1) return SYNTAX;
    } else return SYNTAX;
  }
  return { pattern, kind };
}

/** HSCAN, SSCAN, ZSCAN: what each member shows, the member first. */
export function scanEntry<Kind extends EntryKind>(
  engine: Engine,
  args: readonly Bytes[],
  kind: Kind,
  shown: (entry: EntryFor<Kind>) => readonly (readonly Bytes[])[],
): Reply {
  if (!isCursor(args[2]!)) return BAD_CURSOR;
  const entry = entryOf(engine, args[1]!, kind);
  if (entry === undefined) return ['0', []];
  if (entry instanceof ErrorReply) return entry;
  const options = readScan(args, 3, false);
  if (options instanceof ErrorReply) return options;
  const { pattern } = options;
  return [
    '0',
    shown(entry)
      .filter(([member]) => pattern === undefined || matchesGlob(pattern, member!))
      .flat(),
  ];
}

/** SCAN cursor [MATCH pattern] [COUNT n] [TYPE kind] */
export function scan(engine: Engine, args: readonly Bytes[]): Reply {
  if (!isCursor(args[1]!)) return BAD_CURSOR;
  const options = readScan(args, 2, true);
  if (options instanceof ErrorReply) return options;
  const { pattern, kind } = options;
  const found: Bytes[] = [];
  for (const key of [...engine.store.keys()]) {
    if (pattern !== undefined && !matchesGlob(pattern, key)) continue;
    const entry = engine.store.find(key);
    // To ask for the kind of a key that has expired removes it, and it is of none: so it is found for the last time.
    const fits = kind === undefined ? entry !== undefined : (entry?.kind ?? 'none') === kind;
    if (fits) found.push(key);
  }
  return ['0', found];
}
