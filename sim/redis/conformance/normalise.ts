/**
 * What replies may differ in, command by command, with the reason. Everything else is compared as it is.
 */
import { SetReply, MapReply, type Reply } from '../keyspace.js';
import { encodeReply } from '../resp.js';

/** @param ids client ids of the connections, in order */
type Normaliser = (reply: Reply, ids: readonly number[]) => Reply;

const asIs: Normaliser = (reply) => reply;

function items(reply: Reply): readonly Reply[] | undefined {
  if (reply instanceof SetReply) return reply.members;
  if (reply instanceof MapReply) return reply.pairs;
  return Array.isArray(reply) ? (reply as readonly Reply[]) : undefined;
}

function inOrder(given: readonly Reply[]): Reply[] {
  return given
    .map((reply) => ({ reply, bytes: encodeReply(reply) }))
    .sort((a, b) => (a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0))
    .map(({ reply }) => reply);
}

/** Sets and the key space have no order. */
const sorted: Normaliser = (reply) => {
  const all = items(reply);
  return all === undefined ? reply : inOrder(all);
};

/** Hashes have no order: names stay with their values. */
const sortedPairs: Normaliser = (reply) => {
  const all = items(reply);
  if (all === undefined) return reply;
  const pairs: Reply[] = [];
  for (let i = 0; i < all.length; i += 2) pairs.push(all.slice(i, i + 2));
  return inOrder(pairs);
};

/** The elements of a page have no order; sequences are small enough for one page. */
const page =
  (inner: Normaliser): Normaliser =>
  (reply, ids) => {
    const all = items(reply);
    return all?.length === 2 ? [all[0]!, inner(all[1]!, ids)] : reply;
  };

/** Chosen by chance: only how many. */
const count: Normaliser = (reply) => items(reply)?.length ?? (reply === null ? null : 'one');

/** Tells of the server's own build, process and load. */
const opaque: Normaliser = (reply) => (reply === null ? null : 'something');

/** Clients are numbered by their connection instead of over the server's life. */
const clientId: Normaliser = (reply, ids) => {
  const index = typeof reply === 'number' ? ids.indexOf(reply) : -1;
  return index < 0 ? reply : `connection ${index}`;
};

/** The server's build and the client's number. */
const hello: Normaliser = (reply, ids) => {
  const all = items(reply);
  if (all === undefined) return reply;
  return all.map((each, i) => {
    if (all[i - 1] === 'version') return 'a version';
    return all[i - 1] === 'id' ? clientId(each, ids) : each;
  });
};

/** Categories, hints, key specifications and subcommands of a command are not simulated; name, arity, flags and keys are. */
const commandInfo: Normaliser = (reply) =>
  items(reply)?.map((entry) => {
    const fields = items(entry)?.slice(0, 6);
    return fields === undefined ? entry : [...fields.slice(0, 2), sorted(fields[2]!, []), ...fields.slice(3)];
  }) ?? reply;

const BY_COMMAND: Readonly<Record<string, Normaliser>> = {
  keys: sorted,
  scan: page(sorted),
  smembers: sorted,
  sinter: sorted,
  sunion: sorted,
  sdiff: sorted,
  sscan: page(sorted),
  spop: sorted,
  srandmember: count,
  hkeys: sorted,
  hvals: sorted,
  hgetall: sortedPairs,
  hscan: page(sortedPairs),
  hrandfield: count,
  zscan: page(sortedPairs),
  zrandmember: count,
  randomkey: count,
  info: opaque,
  'client|id': clientId,
  'client|list': opaque,
  'client|info': opaque,
  'command|info': commandInfo,
  'command|list': sorted,
  'pubsub|channels': sorted,
  'pubsub|shardchannels': sorted,
  'object|refcount': opaque,
  'object|idletime': opaque,
  memory: () => 'something',
  'config|get': sortedPairs,
  hello,
};

export function normaliserOf(args: readonly string[]): Normaliser {
  const name = args[0]?.toLowerCase() ?? '';
  return (
    BY_COMMAND[name] ??
    (args.length > 1 ? BY_COMMAND[`${name}|${args[1]!.toLowerCase()}`] : undefined) ??
    asIs
  );
}

const PUSHES = new Set([
  ...['message', 'pmessage', 'smessage', 'subscribe', 'psubscribe', 'ssubscribe'],
  ...['unsubscribe', 'punsubscribe', 'sunsubscribe'],
]);

/** A message of pub/sub, or the confirmation of a (un)subscription. */
export function isPush(reply: Reply): boolean {
  return Array.isArray(reply) && typeof reply[0] === 'string' && PUSHES.has(reply[0]);
}

/** Messages whose order among themselves is that of a hash table with a random seed. */
const UNORDERED_MESSAGES = new Set(['pmessage', 'unsubscribe', 'punsubscribe', 'sunsubscribe']);

/**
 * Patterns have no order, and so neither have the messages that one publication sends to several of a connection's, nor the
 * confirmations when all subscriptions end at once: those keep their countdown, and their names are sorted.
 */
export function normalisedMessages<Other>(received: readonly (Reply | Other)[]): (Reply | Other)[] {
  const normal = [...received];
  for (const kind of UNORDERED_MESSAGES) {
    const places: number[] = [];
    const names: Reply[] = [];
    for (const [i, each] of received.entries()) {
      if (!Array.isArray(each) || each[0] !== kind) continue;
      places.push(i);
      names.push((each as Reply[])[1]!);
    }
    if (places.length < 2) continue;
    for (const [i, name] of inOrder(names).entries()) {
      const place = places[i]!;
      normal[place] = (received[place] as Reply[]).toSpliced(1, 1, name);
    }
  }
  return normal;
}
