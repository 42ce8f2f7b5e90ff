/** What is used of ioredis-mock 8.13, and one sealed copy of it. */
import type { LockBundle } from '../../sealed/bundle.js';
import { instantiate, type SealedInstance } from '../../sealed/instance.js';
import type { ServerClock } from './clock.js';

/** Values by key. What goes in and comes out is copied one level deep. */
export interface MockData {
  clear(): void;
  delete(key: string): void;
  get(key: string): unknown;
  has(key: string): boolean;
  keys(prefix?: string): string[];
  set(key: string, value: unknown): void;
}

/** Deadlines by key, in milliseconds of `Date`: a key is gone once `deadline <= now`. */
export interface MockExpires {
  clear(): void;
  delete(key: string): void;
  get(key: string): number | undefined;
  has(key: string): boolean;
  isExpired(key: string): boolean;
  set(key: string, atMs: unknown): void;
}

export interface MockEmitter {
  removeAllListeners(): unknown;
  setMaxListeners(count: number): unknown;
  /** The clients that subscribed, by channel. */
  instanceListeners?: unknown;
}

/** What all clients of one address share. A client takes `data` and `expires` from here when it is made. */
export interface MockContext {
  data: MockData;
  expires: MockExpires;
  readonly channels: MockEmitter;
  readonly patternChannels: MockEmitter;
  /** Emits `modified` for each key that is written or deleted: WATCH hears of it. */
  readonly modifiedKeyEvents: MockEmitter;
}

/** Takes the arguments of a command as texts. Most give a promise. */
export type MockCommand = (...args: readonly string[]) => unknown;

/** The queue of a transaction: each command has a method that appends an entry to `batch`. */
export interface MockTransaction {
  readonly batch: (() => unknown)[];
}

/** A client, which is also the server. It has a method for each command, in lower case. */
export interface MockClient {
  readonly context: MockContext;
  /** Script texts by SHA-1: each client knows its own only. */
  shaScripts: Record<string, string>;
  readonly batch: MockTransaction | undefined;
  on(event: string, listener: (...args: readonly string[]) => void): unknown;
  multi(): MockTransaction;
  exec(): Promise<readonly (readonly [null, unknown])[] | null>;
  disconnect(): void;
}

interface MockClass {
  new (options: Readonly<Record<string, unknown>>): MockClient;
  readonly Pipeline: new (client: MockClient) => object;
}

/** The method of a client or transaction for a command, or undefined. */
export function methodOf(of: MockClient | MockTransaction, command: string): MockCommand | undefined {
  const member = (of as unknown as Record<string, unknown>)[command];
  return typeof member === 'function' ? (member as MockCommand) : undefined;
}

/** One copy of the library, in a seal of its own: its `Date` and timers are those of one server. */
export class MockLibrary {
  private readonly instance: SealedInstance;
  private readonly RedisMock: MockClass;

  /** @param kept the copy will serve many runs */
  constructor(bundle: LockBundle, clock: ServerClock, kept: boolean) {
    this.instance = instantiate(bundle, clock, { kept });
    this.RedisMock = (this.instance.definition.connect as unknown as () => MockClass)();
  }

  /** From here on the library runs on another server's clock. */
  bind(clock: ServerClock): void {
    this.instance.bind(clock);
  }

  /** A client as a connection of its own; all clients of one library share their data. */
  open(): MockClient {
    return new this.RedisMock({ host: 'redis', port: 6379, lazyConnect: true });
  }

  /** Names of all commands the library has, in lower case. */
  commandNames(client: MockClient): ReadonlySet<string> {
    const methods = Object.keys(new this.RedisMock.Pipeline(client));
    const names = methods.filter((name) => /^[a-z]+$/.test(name) && !NO_COMMANDS.has(name));
    return new Set([...names, 'eval', 'multi', 'exec']);
  }
}

/** Members of a transaction, and methods of the client, that are no commands of Redis. `evaluate` is EVAL. */
const NO_COMMANDS: ReadonlySet<string> = new Set(['batch', 'redis', 'connect', 'evaluate']);
