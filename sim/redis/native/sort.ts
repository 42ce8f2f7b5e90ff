/** SORT key [BY pattern] [LIMIT offset count] [GET pattern ...] [ASC | DESC] [ALPHA] [STORE destination] */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { command, NOT_INTEGER, SYNTAX, WRONG_TYPE, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { Entry } from './entry.js';
import { sortKeys } from './key-places.js';
import { parseInteger, parseScoreBound } from './numbers.js';
import { ordered } from './sorted-sets.js';

const NOT_DOUBLES = new ErrorReply("ERR One or more scores can't be converted into double");
const NO_BY_IN_CLUSTER = new ErrorReply('ERR BY option of SORT denied in cluster mode.');
const NO_GET_IN_CLUSTER = new ErrorReply('ERR GET option of SORT denied in cluster mode.');

interface Order {
  by: Bytes | null;
  /** Patterns; `#` is the item itself. */
  readonly get: Bytes[];
  offset: number;
  /** Negative: all. */
  count: number;
  descending: boolean;
  alphabetic: boolean;
  store: Bytes | null;
}

function readOrder(engine: Engine, args: readonly Bytes[], mayStore: boolean): Order | ErrorReply {
  const order: Order = {
    by: null,
    get: [],
    offset: 0,
    count: -1,
    descending: false,
    alphabetic: false,
    store: null,
  };
  for (let i = 2; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    const left = args.length - 1 - i;
    if (option === 'asc' || option === 'desc') order.descending = option === 'desc';
    else if (option === 'alpha') order.alphabetic = true;
    else if (option === 'limit' && left >= 2) {
      const offset = parseInteger(args[++i]!);
      const count = parseInteger(args[++i]!);
      if (offset === undefined || count === undefined) return NOT_INTEGER;
      order.offset = Math.max(0, offset);
      order.count = count;
    } else if (option === 'store' && mayStore && left >= 1) order.store = args[++i]!;
    else if (option === 'by' && left >= 1) {
      order.by = args[++i]!;
      if (engine.mode.cluster && order.by.includes('*')) return NO_BY_IN_CLUSTER;
    } else if (option === 'get' && left >= 1) {
      if (engine.mode.cluster && args[i + 1] !== '#') return NO_GET_IN_CLUSTER;
      order.get.push(args[++i]!);
    } else return SYNTAX;
  }
  return order;
}

/** What a pattern finds for an item: `#`, or the key or hash field whose name has the item for its star. */
function lookUp(engine: Engine, pattern: Bytes, item: Bytes): Bytes | null {
  if (pattern === '#') return item;
  const star = pattern.indexOf('*');
  if (star < 0) return null;
  const arrow = pattern.indexOf('->', star);
  const isField = arrow >= 0 && arrow + 2 < pattern.length;
  const name = isField ? pattern.slice(0, arrow) : pattern;
  const entry = engine.store.find(name.slice(0, star) + item + name.slice(star + 1));
  if (entry === undefined) return null;
  if (isField) return entry.kind === 'hash' ? (entry.value.get(pattern.slice(arrow + 2)) ?? null) : null;
  return entry.kind === 'string' ? entry.value : null;
}

function itemsOf(entry: Entry | undefined): readonly Bytes[] | ErrorReply {
  if (entry === undefined) return [];
  if (entry.kind === 'list' || entry.kind === 'set') return [...entry.value];
  return entry.kind === 'zset' ? ordered(entry.value) : WRONG_TYPE;
}

function compareBytes(a: Bytes, b: Bytes): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Missing weights come first. */
function compareWeights(a: Bytes | null, b: Bytes | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compareBytes(a, b);
}

/** Items in order of their weights; equal numbers in order of the items. */
function sorted(engine: Engine, items: readonly Bytes[], order: Order): readonly Bytes[] | ErrorReply {
  const weightOf = (item: Bytes) => (order.by === null ? item : lookUp(engine, order.by, item));
  const weighted = items.map((item) => ({ item, weight: weightOf(item), number: 0 }));
  if (!order.alphabetic) {
    for (const each of weighted) {
      const number = each.weight === null ? 0 : parseScoreBound(each.weight);
      if (number === undefined) return NOT_DOUBLES;
      each.number = number;
    }
  }
  weighted.sort((a, b) => {
    const byWeight = order.alphabetic
      ? compareWeights(a.weight, b.weight)
      : a.number - b.number || compareBytes(a.item, b.item);
    return order.descending ? -byWeight : byWeight;
  });
  return weighted.map(({ item }) => item);
}

/** Without a star in BY nothing is sorted, but what has an order keeps it, and a stored or scripted set gets one. */
function unsorted(
  engine: Engine,
  entry: Entry | undefined,
  items: readonly Bytes[],
  order: Order,
): readonly Bytes[] | ErrorReply {
  if (entry?.kind === 'set' && (order.store !== null || engine.inScript)) {
    return sorted(engine, items, { ...order, by: null, alphabetic: true });
  }
  return entry?.kind !== 'set' && order.descending ? [...items].reverse() : items;
}

function sort(engine: Engine, args: readonly Bytes[], mayStore: boolean): Reply {
  const order = readOrder(engine, args, mayStore);
  if (order instanceof ErrorReply) return order;
  const entry = engine.store.find(args[1]!);
  const items = itemsOf(entry);
  if (items instanceof ErrorReply) return items;
  const inOrder =
    order.by !== null && !order.by.includes('*')
      ? unsorted(engine, entry, items, order)
      : sorted(engine, items, order);
  if (inOrder instanceof ErrorReply) return inOrder;
  const { offset, count, get, store } = order;
  const chosen = inOrder.slice(offset, count < 0 ? undefined : offset + count);
  const shown =
    get.length === 0 ? chosen : chosen.flatMap((item) => get.map((pattern) => lookUp(engine, pattern, item)));
  if (store === null) return shown;
  const value = shown.map((each) => each ?? '');
  if (value.length > 0) engine.store.put(store, { kind: 'list', value, deadlineMs: null });
  else engine.store.delete(store);
  return value.length;
}

export const SORT: readonly Command[] = [
  command('sort', (engine, args) => sort(engine, args, true), sortKeys),
  command('sort_ro', (engine, args) => sort(engine, args, false), sortKeys),
];
