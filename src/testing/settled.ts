import { vi } from 'vitest';

export interface Outcome<T> {
  value?: T;
  error?: unknown;
  /** Monotonic time at which the promise settled. */
  atMs: number;
}

/** Advances fake time until the promise settles; fails when it has not within `withinMs`. */
export async function settled<T>(promise: Promise<T>, withinMs = 60_000): Promise<Outcome<T>> {
  let outcome: Outcome<T> | undefined;
  promise.then(
    (value) => (outcome = { value, atMs: performance.now() }),
    (error: unknown) => (outcome = { error, atMs: performance.now() }),
  );
  await vi.advanceTimersByTimeAsync(0);
  for (let passed = 0; outcome === undefined; passed++) {
    if (passed >= withinMs) throw new Error(`not settled within ${withinMs} ms`);
    await vi.advanceTimersByTimeAsync(1);
  }
  return outcome;
}

/** Lets a call go on while the test moves time by hand; {@link settled} takes it up later. */
export function underWay<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** As {@link settled}, for a promise that is to resolve. */
export async function resolved<T>(promise: Promise<T>, withinMs?: number): Promise<T> {
  const outcome = await settled(promise, withinMs);
  if ('error' in outcome) throw outcome.error;
  return outcome.value as T;
}

/** As {@link settled}, for a promise that is to reject with an error. */
export async function rejected(promise: Promise<unknown>, withinMs?: number): Promise<Error> {
  const outcome = await settled(promise, withinMs);
  if (!(outcome.error instanceof Error)) throw new Error('resolved, or rejected with what is no error');
  return outcome.error;
}

export function useFakeTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 1_000_000 });
}
