import type { VirtualTimers } from './timers.js';

interface Signal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: string, listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: string, listener: () => void): void;
}

interface Options {
  readonly signal?: Signal;
  readonly ref?: boolean;
}

/** The error by which Node's own promise timers reject when their signal aborts. */
export function abortError(signal: Signal): Error {
  const error = new Error('The operation was aborted', { cause: signal.reason });
  Object.defineProperty(error, 'name', { value: 'AbortError', configurable: true, writable: true });
  return Object.assign(error, { code: 'ABORT_ERR' });
}

interface Handle {
  ref(): unknown;
  unref(): unknown;
}

/** Settles when `start` calls back, or rejects when the signal aborts first (`stop` then undoes the start). */
function abortable<T, H extends Handle>(
  options: Options | undefined,
  value: T,
  start: (done: () => void) => H,
  stop: (handle: H) => void,
): Promise<T> {
  const signal = options?.signal;
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      stop(handle);
      reject(abortError(signal as Signal));
    };
    const handle = start(() => {
      signal?.removeEventListener('abort', aborted);
      resolve(value);
    });
    if (options?.ref === false) handle.unref();
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** The module `timers/promises`. */
export function makeTimersPromises(timers: VirtualTimers) {
  const wait = <T>(delay?: number, value?: T, options?: Options): Promise<T> =>
    abortable(options, value as T, (done) => timers.setTimeout(done, delay), timers.clearTimeout);
  const immediately = <T>(value?: T, options?: Options): Promise<T> =>
    abortable(options, value as T, (done) => timers.setImmediate(done), timers.clearImmediate);

  async function* every<T>(delay?: number, value?: T, options?: Options): AsyncGenerator<T> {
    const signal = options?.signal;
    if (signal?.aborted) throw abortError(signal);
    let due = 0;
    let wake: (() => void) | null = null;
    const awaken = (): void => wake?.();
    const timer = timers.setInterval(() => {
      due += 1;
      awaken();
    }, delay);
    if (options?.ref === false) timer.unref();
    signal?.addEventListener('abort', awaken, { once: true });
    try {
      for (;;) {
        if (signal?.aborted) throw abortError(signal);
        if (due === 0) await new Promise<void>((resolve) => (wake = resolve));
        for (; due > 0; due -= 1) yield value as T;
      }
    } finally {
      timers.clearInterval(timer);
      signal?.removeEventListener('abort', awaken);
    }
  }

  const scheduler = {
    wait: (delay: number, options?: Options) => wait(delay, undefined, options),
    yield: () => immediately(),
  };
  return { setTimeout: wait, setImmediate: immediately, setInterval: every, scheduler };
}
