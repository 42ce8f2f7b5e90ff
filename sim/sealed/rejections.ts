/** Node only in effect: elsewhere there is nothing to replace. */

type Listener = (...args: any[]) => void;

interface Emitter {
  rawListeners(event: string): Listener[];
  removeAllListeners(event: string): unknown;
  on(event: string, listener: Listener): unknown;
}

const host = (globalThis as unknown as { process?: Emitter }).process;
const ignore = (): void => undefined;

/**
 * Runs `run` while unhandled rejections go to `listener` alone: a test runner's own listeners must not hear of what
 * programs under test leave unhandled, and the host must not end by it. `uncaught` hears errors that the host would
 * otherwise end with (thrown in a microtask of its own); by default `listener` does. With the synchronous drain a
 * rejection surfaces in the step that made it.
 */
export function withRejections<T>(
  listener: (reason: unknown) => void,
  run: () => T,
  uncaught: (error: unknown) => void = listener,
): T {
  if (host === undefined) return run();
  const ours: readonly (readonly [string, Listener])[] = [
    ['unhandledRejection', (reason: unknown) => listener(reason)],
    // Without a listener Node prints a warning when a rejection is handled late.
    ['rejectionHandled', ignore],
    ['uncaughtException', (error: unknown) => uncaught(error)],
  ];
  const theirs = ours.map(([event]) => host.rawListeners(event));
  for (const [event, own] of ours) {
    host.removeAllListeners(event);
    host.on(event, own);
  }
  try {
    return run();
  } finally {
    ours.forEach(([event], index) => {
      host.removeAllListeners(event);
      for (const other of theirs[index] as Listener[]) host.on(event, other);
    });
  }
}
