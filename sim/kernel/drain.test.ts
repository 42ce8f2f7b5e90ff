import { Readable, Transform, pipeline } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { canDrainSynchronously, drainMicrotasks, drainThrough } from './drain.js';

/** Runs `body` in a macrotask: the drain does nothing inside a microtask, where an async test runs. */
const inMacrotask = <T>(body: () => T): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(body());
      } catch (error) {
        reject(error as Error);
      }
    });
  });

describe('the synchronous drain', () => {
  it('passes its self-test in a macrotask', async () => {
    expect(await inMacrotask(canDrainSynchronously)).toBe(true);
  });

  it('fails its self-test inside a microtask, where it would silently do nothing', async () => {
    await inMacrotask(() => undefined);
    await null;
    expect(canDrainSynchronously()).toBe(false);
  });

  it('brings await chains of any depth to rest', async () => {
    const reached = await inMacrotask(() => {
      let last = -1;
      const chain = async (depth: number): Promise<void> => {
        for (let level = 0; level <= depth; level += 1) {
          await undefined;
          last = level;
        }
      };
      void chain(5_000);
      drainMicrotasks();
      return last;
    });
    expect(reached).toBe(5_000);
  });

  it('runs all ticks before microtasks, and microtasks of ticks after them, as the event loop does', async () => {
    const order = await inMacrotask(() => {
      const seen: string[] = [];
      process.nextTick(() => {
        seen.push('tick 1');
        void Promise.resolve().then(() => {
          seen.push('microtask of tick 1');
          process.nextTick(() => seen.push('tick of the microtask'));
        });
        process.nextTick(() => seen.push('tick of tick 1'));
      });
      process.nextTick(() => seen.push('tick 2'));
      drainMicrotasks();
      return seen;
    });
    expect(order).toEqual([
      'tick 1',
      'tick 2',
      'tick of tick 1',
      'microtask of tick 1',
      'tick of the microtask',
    ]);
  });

  it('brings a pipeline of native streams to rest', async () => {
    const result = await inMacrotask(() => {
      let done: unknown = 'not called';
      const chunks: string[] = [];
      const upper = new Transform({
        transform(chunk, _encoding, callback) {
          callback(null, String(chunk).toUpperCase());
        },
      });
      upper.on('data', (chunk) => chunks.push(String(chunk)));
      pipeline(Readable.from(Array.from({ length: 300 }, (_, index) => `c${index};`)), upper, (error) => {
        done = error ?? 'finished';
      });
      drainMicrotasks();
      return { done, text: chunks.join('') };
    });
    expect(result.done).toBe('finished');
    expect(result.text).toMatch(/^C0;.*C299;$/);
  });

  it('lets no timer and no input of the host in', async () => {
    const fired = await inMacrotask(() => {
      let seen = false;
      const timer = setTimeout(() => (seen = true), 0);
      const until = performance.now() + 5;
      while (performance.now() < until) drainMicrotasks();
      clearTimeout(timer);
      return seen;
    });
    expect(fired).toBe(false);
  });

  it('reports an unhandled rejection within the call', async () => {
    const reasons = await inMacrotask(() => {
      const seen: unknown[] = [];
      const others = process.listeners('unhandledRejection');
      process.removeAllListeners('unhandledRejection');
      process.on('unhandledRejection', (reason) => seen.push(reason));
      void Promise.reject(new Error('nobody listens'));
      drainMicrotasks();
      process.removeAllListeners('unhandledRejection');
      for (const listener of others) process.on('unhandledRejection', listener);
      return seen;
    });
    expect(reasons).toEqual([new Error('nobody listens')]);
  });

  it('hands over what native ticks throw, and runs what is behind them', async () => {
    const thrown: unknown[] = [];
    const done: string[] = [];
    await inMacrotask(() => {
      for (const name of ['a', 'b'])
        process.nextTick(() => {
          process.nextTick(() => done.push(`after ${name}`));
          throw new Error(name);
        });
      void Promise.resolve().then(() => done.push('microtask'));
      Readable.from(['x']).on('data', () => {
        throw new Error('in a listener');
      });
      drainThrough({ uncaught: (error) => thrown.push((error as Error).message) });
    });
    expect(thrown).toEqual(['a', 'b', 'in a listener']);
    expect(done.sort()).toEqual(['after a', 'after b', 'microtask']);
    // Node goes on as if nothing had been: it checks its account of ticks at the end of each macrotask.
    expect(await inMacrotask(canDrainSynchronously)).toBe(true);
    expect(process.hasUncaughtExceptionCaptureCallback()).toBe(false);
  });
});
