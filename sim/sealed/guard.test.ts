import { EventEmitter, once } from 'node:events';
import { Readable, Transform, pipeline } from 'node:stream';
import { inspect, promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { drainMicrotasks } from '../kernel/drain.js';
import { EscapeError } from './errors.js';
import { withGuard } from './guard.js';
import { withRejections } from './rejections.js';
import { swaps } from './swaps.js';
import { inMacrotask } from './testing.js';

const fail = (): never => {
  throw new Error('not called');
};

/** Everything the guard touches, as it is now. */
function state(): unknown[] {
  return swaps(fail as never).map((swap) => {
    const { holder, key } = swap as unknown as { holder: object; key: string };
    return [swap.route, Object.getOwnPropertyDescriptor(holder, key)];
  });
}

describe('withGuard', () => {
  it('covers what tells the time, draws, waits or leaves', () => {
    const routes = swaps(fail as never).map((swap) => swap.route);
    for (const route of [
      'Date',
      'Math.random',
      'setTimeout',
      'process',
      'crypto',
      'performance',
      'fetch',
      'MessageChannel',
    ]) {
      expect(routes).toContain(route);
    }
  });

  it('gives the result and restores everything, also after a throw', () => {
    const before = state();
    expect(withGuard(() => 42)).toBe(42);
    expect(state()).toEqual(before);
    expect(() =>
      withGuard(() => {
        throw new RangeError('mine');
      }),
    ).toThrow(RangeError);
    expect(state()).toEqual(before);
    expect(Date.now()).toBeGreaterThan(0);
    expect(new Date().constructor).toBe(Date);
  });

  it('trips on each real global, tells the listener, and throws', () => {
    const routes: string[] = [];
    const attempts = [
      () => Date.now(),
      () => new Date(),
      () => Date(),
      () => Math.random(),
      () => setTimeout(fail, 1),
      () => globalThis.process,
      () => performance.now(),
      () => fetch('x'),
      () => crypto.randomUUID(),
      () => new Date(5).constructor.call(null),
    ];
    withGuard(
      () => {
        for (const attempt of attempts) {
          try {
            attempt();
          } catch (error) {
            routes.push((error as EscapeError).route);
          }
        }
      },
      (error) => routes.push(`heard ${error.route}`),
    );
    const expected = [
      'Date.now',
      'Date',
      'Date',
      'Math.random',
      'setTimeout',
      'process',
      'performance',
      'fetch',
      'crypto',
      'Date',
    ];
    expect(routes).toEqual(expected.flatMap((route) => [`heard ${route}`, route]));
  });

  it('a date with arguments reads no clock and passes', () => {
    expect(withGuard(() => [new Date(5).getTime(), new Date(5) instanceof Date, Date.UTC(2000, 0)])).toEqual([
      5,
      true,
      946684800000,
    ]);
  });

  it('without a listener the escape is thrown at the end, even if it was swallowed', () => {
    expect(() =>
      withGuard(() => {
        try {
          Date.now();
        } catch {}
      }),
    ).toThrow(EscapeError);
    expect(withGuard(() => 1)).toBe(1);
  });

  it('names the frame of the program', () => {
    const programFunction = (): number => Date.now();
    let stack = '';
    expect(() => withGuard(programFunction, (error) => (stack = error.stack ?? ''))).toThrow(EscapeError);
    expect(stack.split('\n')[1]).toContain('programFunction');
  });

  it('nests: the inner call changes who listens, and only the outer restores', () => {
    const heard: string[] = [];
    withGuard(
      () => {
        withGuard(
          () => {
            try {
              Date.now();
            } catch {}
          },
          () => heard.push('inner'),
        );
        try {
          Date.now();
        } catch {}
      },
      () => heard.push('outer'),
    );
    expect(heard).toEqual(['inner', 'outer']);
    expect(Date.now()).toBeGreaterThan(0);
  });

  it('restores what a test runner had put in place', () => {
    const real = Date.now;
    const RealDate = globalThis.Date;
    class FakeDate extends RealDate {}
    globalThis.Date = FakeDate as DateConstructor;
    try {
      withGuard(() => undefined);
      expect(globalThis.Date).toBe(FakeDate);
    } finally {
      globalThis.Date = RealDate;
    }
    expect(Date.now).toBe(real);
  });

  it('costs microseconds', () => {
    for (let index = 0; index < 2000; index += 1) withGuard(() => 1);
    let best = Infinity;
    for (let batch = 0; batch < 20; batch += 1) {
      const started = performance.now();
      for (let index = 0; index < 200; index += 1) withGuard(() => 1);
      best = Math.min(best, ((performance.now() - started) / 200) * 1000);
    }
    expect(best).toBeLessThan(60);
  });
});

describe('the host’s own internals while guarded', () => {
  it('streams, emitters, signals and promisified functions work', async () => {
    const result = await inMacrotask(() =>
      withGuard(() => {
        const log: unknown[] = [];
        const upper = new Transform({
          transform: (chunk, _e, done) => done(null, String(chunk).toUpperCase()),
        });
        upper.on('data', (chunk) => log.push(String(chunk)));
        pipeline(Readable.from(['a', 'b']), upper, (error) => log.push(error ?? 'done'));
        const emitter = new EventEmitter();
        void once(emitter, 'x').then(([value]) => log.push(value));
        emitter.emit('x', 'emitted');
        const controller = new AbortController();
        controller.signal.addEventListener('abort', (event) => log.push(event.type));
        controller.abort();
        void promisify((callback: (error: null, value: string) => void) =>
          callback(null, 'promisified'),
        )().then((v) => log.push(v));
        log.push(inspect({ a: new Map([[1, new Error('x').message]]) }));
        log.push(structuredClone({ a: [1] }));
        log.push(new URL('http://a/b?c=1').searchParams.get('c'));
        for (let index = 0; index < 20; index += 1) emitter.on('many', fail);
        drainMicrotasks();
        return log;
      }),
    );
    expect(result).toEqual(
      expect.arrayContaining([
        'A',
        'B',
        'done',
        'emitted',
        'abort',
        'promisified',
        "{ a: Map(1) { 1 => 'x' } }",
        { a: [1] },
        '1',
      ]),
    );
  });

  it('unhandled rejections surface in the drain, for our listener alone', async () => {
    const theirs: unknown[] = [];
    const listener = (reason: unknown): void => void theirs.push(reason);
    process.on('unhandledRejection', listener);
    const listeners = process.rawListeners('unhandledRejection');
    const ours = await inMacrotask(() => {
      const heard: unknown[] = [];
      withRejections(
        (reason) => heard.push(reason),
        () => {
          withGuard(() => {
            void Promise.reject(new Error('nobody listens'));
            const late = Promise.reject(new Error('handled late'));
            drainMicrotasks();
            void late.catch(() => undefined);
            drainMicrotasks();
          });
        },
      );
      return heard;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(process.rawListeners('unhandledRejection')).toEqual(listeners);
    process.off('unhandledRejection', listener);
    expect(ours.map((reason) => (reason as Error).message)).toEqual(['nobody listens', 'handled late']);
    expect(theirs).toEqual([]);
  });

  it('an error thrown in a microtask of the host does not end the host', async () => {
    const seen = await inMacrotask(() => {
      const heard: unknown[] = [];
      withRejections(
        fail,
        () => {
          queueMicrotask(() => {
            throw new Error('in a microtask');
          });
          drainMicrotasks();
        },
        (error) => heard.push((error as Error).message),
      );
      return heard;
    });
    expect(seen).toEqual(['in a microtask']);
  });

  it('listeners are restored with their order, once-listeners as such, also after a throw', () => {
    let calls = 0;
    const single = (): void => void (calls += 1);
    process.once('rejectionHandled', single);
    const before = process.rawListeners('rejectionHandled');
    expect(() =>
      withRejections(fail, () => {
        throw new Error('run');
      }),
    ).toThrow('run');
    expect(process.rawListeners('rejectionHandled')).toEqual(before);
    process.emit('rejectionHandled', Promise.resolve());
    process.emit('rejectionHandled', Promise.resolve());
    expect(calls).toBe(1);
  });
});
