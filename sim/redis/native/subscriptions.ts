import type { Bytes, KeyspaceHost, Reply } from '../keyspace.js';
import { matchesGlob } from './glob.js';
import type { NativeSession } from './session.js';

/** Channels, patterns of channels, and channels of a shard. */
export type SubscriptionKind = 'channels' | 'patterns' | 'shards';

type Subscribers = Map<Bytes, Set<NativeSession>>;

/** Who listens to what. Messages go out at once, to each channel's subscribers in the order in which they subscribed. */
export class Subscriptions {
  readonly #by: Readonly<Record<SubscriptionKind, Subscribers>> = {
    channels: new Map(),
    patterns: new Map(),
    shards: new Map(),
  };

  constructor(private readonly host: KeyspaceHost) {}

  add(session: NativeSession, kind: SubscriptionKind, name: Bytes): void {
    const own = (session[kind] ??= new Set());
    if (own.has(name)) return;
    own.add(name);
    session.subscriptions++;
    const others = this.#by[kind].get(name);
    if (others === undefined) this.#by[kind].set(name, new Set([session]));
    else others.add(session);
  }

  remove(session: NativeSession, kind: SubscriptionKind, name: Bytes): void {
    if (session[kind]?.delete(name) !== true) return;
    session.subscriptions--;
    const others = this.#by[kind].get(name);
    others?.delete(session);
    if (others?.size === 0) this.#by[kind].delete(name);
  }

  /** Its connection is gone, or was reset. */
  leave(session: NativeSession): void {
    if (session.subscriptions === 0) return;
    for (const kind of ['channels', 'patterns', 'shards'] as const) {
      for (const name of [...(session[kind] ?? [])]) this.remove(session, kind, name);
    }
  }

  /** Answers how many got it. */
  publish(channel: Bytes, message: Bytes): number {
    let received = this.#send('channels', channel, ['message', channel, message]);
    for (const pattern of this.#by.patterns.keys()) {
      if (!matchesGlob(pattern, channel)) continue;
      received += this.#send('patterns', pattern, ['pmessage', pattern, channel, message]);
    }
    return received;
  }

  publishToShard(channel: Bytes, message: Bytes): number {
    return this.#send('shards', channel, ['smessage', channel, message]);
  }

  #send(kind: SubscriptionKind, name: Bytes, message: readonly Reply[]): number {
    const sessions = this.#by[kind].get(name);
    if (sessions === undefined) return 0;
    for (const session of [...sessions]) this.host.push(session, message);
    return sessions.size;
  }

  /** Names with subscribers, those that match the pattern. */
  names(kind: SubscriptionKind, pattern?: Bytes): Bytes[] {
    return [...this.#by[kind].keys()].filter((name) => pattern === undefined || matchesGlob(pattern, name));
  }

  count(kind: SubscriptionKind, name: Bytes): number {
    return this.#by[kind].get(name)?.size ?? 0;
  }
}
