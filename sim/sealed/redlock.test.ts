/** The proof that sealed processes run real packages: redlock@4.2.0 with its bluebird, unmodified, from npm. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Grant, Lock } from '../../src/contract.js';
import { bundleLock } from './bundle.js';
import type { LockBundle } from './bundle.js';
import { instantiate } from './instance.js';
import type { SealedInstance } from './instance.js';
import { TestProcess, bundleText, inMacrotask, removeScratch } from './testing.js';

const ADAPTER = fileURLToPath(new URL('../../src/adapters/redlock-4.ts', import.meta.url));

let bundle: LockBundle;
beforeAll(async () => {
  bundle = await bundleLock(path.resolve(ADAPTER), { npm: { package: 'redlock', version: '4.2.0' } });
});

afterAll(removeScratch);

type Callback = (error: Error | null, reply?: unknown) => void;

/** What redlock's three scripts do, told apart by their text. */
class TinyServer {
  readonly keys = new Map<string, { value: string; endMs: number }>();
  readonly scripts = new Map<string, string>();

  constructor(readonly process: TestProcess) {}

  run(script: string, key: string, value: string, ttl: string | undefined): number {
    const held = this.keys.get(key);
    const live = held !== undefined && held.endMs > this.process.nowMs ? held : undefined;
    const set = (): number => {
      this.keys.set(key, { value, endMs: this.process.nowMs + Number(ttl) });
      return 1;
    };
    if (script.includes('"exists"')) return live === undefined ? set() : 0;
    if (live === undefined || live.value !== value) return 0;
    if (script.includes('"del"')) return this.keys.delete(key) ? 1 : 0;
    return set();
  }
}

/** A callback client whose commands take some time, and which knows a script's hash only after its text. */
class CallbackClient {
  readonly trace: string[] = [];

  constructor(
    readonly server: TinyServer,
    readonly latencyMs: number,
  ) {}

  evalsha(...args: [string, (string | number)[], Callback]): void {
    const [sha, [, key, value, ttl], callback] = args;
    this.#later(`evalsha ${sha.slice(0, 6)} ${String(value).slice(0, 8)}`, () => {
      const script = this.server.scripts.get(sha);
      if (script === undefined) callback(new Error('NOSCRIPT No matching script. Please use EVAL.'));
      else
        callback(
          null,
          this.server.run(script, String(key), String(value), ttl === undefined ? ttl : String(ttl)),
        );
    });
  }

  eval(args: (string | number)[], callback: Callback): void {
    const [script, , key, value, ttl] = args.map(String);
    this.#later(`eval ${value?.slice(0, 8)}`, () => {
      this.server.scripts.set(
        createHash('sha1')
          .update(script as string)
          .digest('hex'),
        script as string,
      );
      callback(null, this.server.run(script as string, key as string, value as string, ttl));
    });
  }

  #later(what: string, reply: () => void): void {
    const { process } = this.server;
    this.trace.push(`${process.nowMs.toFixed(3)} ${what}`);
    process.startTimer(() => process.startTimer(reply, this.latencyMs, false), this.latencyMs, false);
  }
}

interface World {
  readonly process: TestProcess;
  readonly clients: CallbackClient[];
  readonly servers: TinyServer[];
  connect(options?: Record<string, unknown>): Lock;
}

function worldOf(process: TestProcess, instance: SealedInstance): World {
  const servers = [0, 1, 2].map(() => new TinyServer(process));
  const clients = servers.map((server, index) => new CallbackClient(server, 1 + index));
  const connect = (options = {}): Lock =>
    instance.definition.connect({
      clients,
      endpoints: [],
      options: { retryCount: 10, retryDelayMs: 200, retryJitterMs: 100, ...options },
    });
  return { process, servers, clients, connect };
}

function inWorld<T>(seed: number, body: (world: World) => T, instance?: SealedInstance): Promise<T> {
  return inMacrotask(() => {
    const process = new TestProcess('p1', seed);
    instance?.bind(process);
    const used = instance ?? instantiate(bundle, process);
    const result = body(worldOf(process, used));
    expect(process.escapes).toEqual([]);
    expect(process.uncaught).toEqual([]);
    return result;
  });
}

describe('redlock@4.2.0 in a sealed process', () => {
  it('acquires on three servers and releases', async () => {
    await inWorld(1, ({ process, connect, servers }) => {
      const lock = connect();
      const grant = process.finish(() => lock.acquire('a', { ttlMs: 1000 }));
      expect(grant.value).toMatch(/^[0-9a-f]{32}$/);
      expect(servers.map((server) => server.keys.get('a')?.value)).toEqual([
        grant.value,
        grant.value,
        grant.value,
      ]);
      // Two round trips to the slowest server: NOSCRIPT, then the text.
      expect(process.nowMs).toBe(12);
      expect(grant.validUntil?.()).toEqual({ clock: 'wall', ms: process.wallOffsetMs + 1000 - 12 });
      process.finish(() => grant.release());
      expect(servers.every((server) => !server.keys.has('a'))).toBe(true);
    });
  });

  it('waits with jitter while another holds, and takes over after its release', async () => {
    await inWorld(1, ({ process, connect }) => {
      const [first, second] = [connect(), connect()];
      const grant = process.finish(() => first.acquire('a', { ttlMs: 5000 }));
      let taken: Grant | null = null;
      process.step(() => void second.acquire('a', { ttlMs: 5000 }).then((got) => (taken = got)));
      process.runUntil(() => process.nowMs >= 500);
      expect(taken).toBeNull();
      process.finish(() => grant.release());
      const releasedMs = process.nowMs;
      process.runUntil(() => taken !== null);
      expect(process.nowMs - releasedMs).toBeLessThan(400);
      expect((taken as unknown as Grant).value).not.toBe(grant.value);
    });
  });

  it('gives up with the contract’s error', async () => {
    await inWorld(1, ({ process, connect }) => {
      process.finish(() => connect().acquire('a', { ttlMs: 60_000 }));
      const attempt = (): unknown =>
        process.finish(() => connect({ retryCount: 3 }).acquire('a', { ttlMs: 100 }));
      expect(attempt).toThrow(expect.objectContaining({ name: 'NotAcquired' }));
    });
  });

  it('the same seed gives the same commands at the same times; a reused instance the same as a fresh one', async () => {
    const run = (seed: number, instance?: SealedInstance): Promise<string[]> =>
      inWorld(
        seed,
        ({ process, connect, clients }) => {
          const grants: Promise<unknown>[] = [];
          for (const lock of [connect(), connect(), connect()]) {
            process.step(
              () => void grants.push(lock.acquire('a', { ttlMs: 300 }).then((grant) => grant.extend?.(300))),
            );
          }
          process.runUntil(() => false, 10_000);
          return clients.flatMap((client) => client.trace);
        },
        instance,
      );
    const fresh = [await run(1), await run(2), await run(1)];
    expect(fresh[0]?.length).toBeGreaterThan(20);
    expect(fresh[2]).toEqual(fresh[0]);
    expect(fresh[1]).not.toEqual(fresh[0]);
    const instance = await inMacrotask(() => instantiate(bundle, new TestProcess('p1', 9)));
    expect([await run(1, instance), await run(2, instance), await run(1, instance)]).toEqual(fresh);
  });

  it('bluebird shares its error classes by a name on Error that cannot be removed, and nothing else', async () => {
    await inWorld(1, () => undefined);
    const mark = Object.getOwnPropertyDescriptor(Error, '__BluebirdErrorTypes__');
    expect(mark?.configurable).toBe(false);
    const known = new Set([
      'length',
      'name',
      'prototype',
      'captureStackTrace',
      'stackTraceLimit',
      'prepareStackTrace',
    ]);
    expect(Reflect.ownKeys(Error).filter((key) => !known.has(String(key)))).toEqual([
      '__BluebirdErrorTypes__',
    ]);
  });

  it('a rejection that bluebird finds unhandled is told to the process', async () => {
    const text = `const Promise = require('bluebird'); module.exports = { name: 'x', servers: 1,
      connect: () => ({ probe() { Promise.reject(new Error('nobody listens')); } }) };`;
    const leaky = await bundleText(text, 'lock.cjs');
    const process = new TestProcess();
    await inMacrotask(() => {
      const lock = instantiate(leaky, process).definition.connect({
        clients: [],
        endpoints: [],
        options: {},
      });
      process.step(() => (lock as unknown as { probe(): void }).probe());
      process.runUntil(() => false);
    });
    expect(process.rejections).toEqual([expect.objectContaining({ message: 'nobody listens' })]);
  });
});
