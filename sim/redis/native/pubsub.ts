import { NO_REPLY, type Bytes, type Reply } from '../keyspace.js';
import { command, container, wrongUseOf, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { NativeSession } from './session.js';
import type { SubscriptionKind } from './subscriptions.js';

/** How many subscriptions a confirmation counts: a shard's apart from the others. */
function counted(session: NativeSession, kind: SubscriptionKind): number {
  const shards = session.shards?.size ?? 0;
  return kind === 'shards' ? shards : session.subscriptions - shards;
}

/**
 * Sends the confirmations. Within a transaction RESP2 shows them in EXEC's reply, where Redis counts one item for the whole
 * command: the first is the item, the others follow EXEC's reply on the wire and are pushed.
 */
function confirm(engine: Engine, session: NativeSession, messages: readonly (readonly Reply[])[]): Reply {
  const isItem = engine.atomic && session.protocol === 2;
  for (const message of isItem ? messages.slice(1) : messages) engine.host.push(session, message);
  return isItem ? messages[0]! : NO_REPLY;
}

function subscribe(kind: SubscriptionKind, word: string) {
  return (engine: Engine, args: readonly Bytes[], session: NativeSession): Reply => {
    const messages = args.slice(1).map((name): Reply[] => {
      engine.subscriptions.add(session, kind, name);
      return [word, name, counted(session, kind)];
    });
    return confirm(engine, session, messages);
  };
}

function unsubscribe(kind: SubscriptionKind, word: string) {
  return (engine: Engine, args: readonly Bytes[], session: NativeSession): Reply => {
    const names = args.length > 1 ? args.slice(1) : [...(session[kind] ?? [])];
    const messages = names.map((name): Reply[] => {
      engine.subscriptions.remove(session, kind, name);
      return [word, name, counted(session, kind)];
    });
    if (messages.length === 0) messages.push([word, null, counted(session, kind)]);
    return confirm(engine, session, messages);
  };
}

function counts(kind: SubscriptionKind) {
  return (engine: Engine, args: readonly Bytes[]): Reply =>
    args.slice(2).flatMap((name) => [name, engine.subscriptions.count(kind, name)]);
}

function names(kind: SubscriptionKind) {
  return (engine: Engine, args: readonly Bytes[]): Reply =>
    args.length > 3 ? wrongUseOf('PUBSUB', args[1]!) : engine.subscriptions.names(kind, args[2]);
}

export const PUB_SUB: readonly Command[] = [
  command('subscribe', subscribe('channels', 'subscribe')),
  command('unsubscribe', unsubscribe('channels', 'unsubscribe')),
  command('psubscribe', subscribe('patterns', 'psubscribe')),
  command('punsubscribe', unsubscribe('patterns', 'punsubscribe')),
  command('ssubscribe', subscribe('shards', 'ssubscribe')),
  command('sunsubscribe', unsubscribe('shards', 'sunsubscribe')),
  command('publish', (engine, args) => {
    engine.host.published?.(args[1]!, args[2]!);
    return engine.subscriptions.publish(args[1]!, args[2]!);
  }),
  command('spublish', (engine, args) => engine.subscriptions.publishToShard(args[1]!, args[2]!)),
  container('pubsub', [
    command('pubsub|channels', names('channels')),
    command('pubsub|numsub', counts('channels')),
    command('pubsub|numpat', (engine) => engine.subscriptions.names('patterns').length),
    command('pubsub|shardchannels', names('shards')),
    command('pubsub|shardnumsub', counts('shards')),
  ]),
];
