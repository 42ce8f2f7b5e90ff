import { ErrorReply, BLOCKED, NIL_ARRAY, NO_REPLY, OK, QUEUED } from '../keyspace.js';
import type { Bytes, Keyspace, KeyRecord, KeyspaceHost, Reply, ServerMode } from '../keyspace.js';
import { unknownCommand } from '../native/command.js';
import type { ServerClock } from './clock.js';
import { methodOf, type MockLibrary } from './library.js';
import { Outcome } from './outcome.js';
import { errorOf, replyOf } from './replies.js';
import { MockSession } from './session.js';
import { MockStore } from './store.js';

/** Commands that put a value in the place of another. All others change what is there. */
const REPLACING: ReadonlySet<string> = new Set([
  ...['set', 'setex', 'psetex', 'setnx', 'getset', 'mset', 'msetnx', 'rename', 'renamenx'],
  ...['sdiffstore', 'sinterstore', 'sunionstore', 'zinterstore'],
]);
const SCRIPTS: ReadonlySet<string> = new Set(['eval', 'evalsha']);
const SUBSCRIBING: ReadonlySet<string> = new Set(['subscribe', 'psubscribe', 'unsubscribe', 'punsubscribe']);

/** A copy of the library with its store: what can serve one server after another. */
export interface MockParts {
  readonly library: MockLibrary;
  readonly store: MockStore;
  readonly commands: ReadonlySet<string>;
}

/** Takes a library over: its clients from now on are watched. */
export function partsOf(library: MockLibrary): MockParts {
  const client = library.open();
  return { library, store: new MockStore(client.context), commands: library.commandNames(client) };
}

/**
 * `ioredis-mock` behind the contract of an engine: a connection is a client of the library, a command a call of its method,
 * and what the library has not is an unknown command. How it differs from Redis is written down in docs/engines.md.
 *
 * Each command is drained to its end: call it from a macrotask.
 */
export class MockKeyspace implements Keyspace {
  private readonly store: MockStore;
  private readonly sessions = new Set<MockSession>();
  private opened = 0;

  constructor(
    private readonly parts: MockParts,
    private readonly clock: ServerClock,
    private readonly mode: ServerMode,
    private readonly host: KeyspaceHost,
  ) {
    this.store = parts.store;
    this.store.attach(host);
  }

  openSession(): MockSession {
    const client = this.parts.library.open();
    const session = new MockSession(++this.opened, client);
    this.sessions.add(session);
    client.on('message', (channel = '', text = '') => this.push(session, ['message', channel, text]));
    client.on('pmessage', (pattern = '', channel = '', text = '') =>
      this.push(session, ['pmessage', pattern, channel, text]),
    );
    return session;
  }

  closeSession(session: MockSession): void {
    session.open = false;
    this.sessions.delete(session);
    session.client.disconnect();
  }

  execute(session: MockSession, args: readonly Bytes[], wallUs: number): Reply {
    this.refuseMode();
    this.advance(wallUs);
    if (args.length === 0) return unknownCommand(args);
    const command = args[0]!.toLowerCase();
    if (!this.parts.commands.has(command)) return unknownCommand(args);
    switch (command) {
      case 'multi':
        session.client.multi();
        session.queue = [];
        return OK;
      case 'exec':
        return this.exec(session);
      case 'discard':
        session.queue = null;
        break;
      default:
        if (session.queue !== null) return this.enqueue(session, session.queue, command, args);
    }
    if (SUBSCRIBING.has(command)) return this.subscribe(session, command, args);
    return this.run(session, command, args);
  }

  nextWakeMs(): number {
    // The server wakes us a millisecond later: Redis's keys outlive their deadline's millisecond, the library's do not.
    return Math.min(this.store.nextDeadlineMs(), this.clock.nextDueMs()) - 1;
  }

  wake(wallUs: number): void {
    this.advance(wallUs);
  }

  interruptBlocked(error: ErrorReply): void {
    for (const session of this.sessions) {
      if (!session.waiting) continue;
      session.waiting = false;
      this.host.unblocked(session, error);
      this.host.hangUp(session);
    }
  }

  record(key: Bytes): KeyRecord | undefined {
    return this.store.record(key);
  }

  load(key: Bytes, record: KeyRecord | undefined): void {
    this.store.load(key, record);
  }

  entries(): Iterable<readonly [Bytes, KeyRecord]> {
    return this.store.entries();
  }

  reset(): void {
    this.store.reset();
    this.clock.reset();
    for (const { client } of this.sessions) client.shaScripts = {};
  }

  // ---- time

  private advance(wallUs: number): void {
    this.clock.set(wallUs);
    this.store.expire(this.clock.nowMs);
    this.clock.fireDue();
    this.store.report();
  }

  /** The scenario's checks have refused all that leads here. */
  private refuseMode(): void {
    const { replica, loading, cluster, maxMemory, writesRefused } = this.mode;
    if (replica || loading || cluster || maxMemory > 0 || writesRefused !== null) {
      throw new Error(
        'the engine ioredis-mock is a master of its own that takes everything, and nothing else',
      );
    }
  }

  // ---- commands

  private run(session: MockSession, command: string, args: readonly Bytes[]): Reply {
    const method = methodOf(session.client, command)!;
    this.store.replaces = replaces(command);
    const outcome = new Outcome(() => method.apply(session.client, args.slice(1) as string[]));
    this.clock.settle();
    this.store.report();
    return this.answer(session, outcome, (value) => replyOf(value, command, args));
  }

  /** The reply, or BLOCKED where it takes time: a promise that does not settle at once is a command that waits. */
  private answer(session: MockSession, outcome: Outcome, convert: (value: unknown) => Reply): Reply {
    const reply = (): Reply => (outcome.failed ? errorOf(outcome.value) : convert(outcome.value));
    if (outcome.settled) return reply();
    if (this.clock.nextDueMs() === Infinity) {
      throw new Error('the engine ioredis-mock was called from within a microtask: it needs a macrotask');
    }
    session.waiting = true;
    outcome.whenSettled(() => {
      if (!session.open || !session.waiting) return;
      session.waiting = false;
      this.host.unblocking(session);
      this.store.report();
      this.host.unblocked(session, reply());
    });
    return BLOCKED;
  }

  private enqueue(
    session: MockSession,
    queue: (readonly Bytes[])[],
    command: string,
    args: readonly Bytes[],
  ): Reply {
    const { client } = session;
    const transaction = client.batch;
    const method = transaction === undefined ? undefined : methodOf(transaction, command);
    if (transaction === undefined || method === undefined) return unknownCommand(args);
    method.apply(transaction, args.slice(1) as string[]);
    queue.push(args);
    const { batch } = transaction;
    const start = batch.pop()!;
    batch.push(() => {
      // What the command before did is told before this one begins.
      this.store.report();
      this.store.replaces = replaces(command);
      return start();
    });
    return QUEUED;
  }

  private exec(session: MockSession): Reply {
    const queue = session.queue ?? [];
    session.queue = null;
    const outcome = new Outcome(() => session.client.exec());
    this.clock.settle();
    this.store.report();
    return this.answer(session, outcome, (value) => {
      if (value === null) return NIL_ARRAY;
      const replies = value as readonly (readonly [null, unknown])[];
      return replies.map(([, reply], at) => replyOf(reply, queue[at]![0]!.toLowerCase(), queue[at]!));
    });
  }

  /** The library gives one count for all channels; Redis confirms each with a message of its own. */
  private subscribe(session: MockSession, command: string, args: readonly Bytes[]): Reply {
    const channels: (Bytes | null)[] = args.length > 1 ? args.slice(1) : [null];
    for (const channel of channels) {
      const reply = this.run(session, command, channel === null ? [command] : [command, channel]);
      if (reply instanceof ErrorReply) return reply;
      this.push(session, [command, channel, reply]);
    }
    return NO_REPLY;
  }

  private push(session: MockSession, message: readonly Reply[]): void {
    if (session.open) this.host.push(session, message);
  }
}

function replaces(command: string): boolean | null {
  return SCRIPTS.has(command) ? null : REPLACING.has(command);
}
