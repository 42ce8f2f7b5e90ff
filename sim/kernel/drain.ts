/**
 * The exact drain: runs every microtask and every native tick that is queued, and all that they queue, before it
 * returns. It is Node's own `process._tickCallback`, captured at load. It keeps the host's event loop out of a run and
 * lets unhandled rejections surface in the step that made them. It is undocumented, and inside a microtask it silently
 * does nothing: so {@link canDrainSynchronously} tests it before a run relies on it. Loads in a browser, where it is
 * simply not available.
 */
const host = (globalThis as { process?: NodeJS.Process & Undocumented }).process;
const tickCallback = host?._tickCallback;
const nextTick = host?.nextTick;

interface Undocumented {
  _tickCallback?: () => void;
  /** What Node calls when nobody has caught an error; true: somebody took it. */
  _fatalException?: (error: unknown) => boolean;
}

/** Runs all microtasks and native ticks now. Only from a macrotask: inside a microtask it does nothing. */
export const drainMicrotasks: () => void =
  typeof tickCallback === 'function'
    ? tickCallback
    : () => {
        throw new Error('this engine has no synchronous drain (process._tickCallback)');
      };

/** Takes what its code throws where nobody can catch it. */
export interface Thrower {
  uncaught(error: unknown): void;
}

/**
 * The same, and what code throws in a native tick (a listener that a stream calls) is handed over instead of thrown; what is
 * queued behind it still runs. Without that Node would find its own account of ticks in disorder and end the process.
 */
export function drainThrough(thrower: Thrower): void {
  for (;;) {
    try {
      drainMicrotasks();
      return;
    } catch (error) {
      if (!takenFromHost(error)) throw error;
      thrower.uncaught(error);
    }
  }
}

/** Lets Node put its account in order, as after any error that somebody takes. False: it can't be asked to. */
function takenFromHost(error: unknown): boolean {
  if (host?._fatalException === undefined || host.hasUncaughtExceptionCaptureCallback()) return false;
  host.setUncaughtExceptionCaptureCallback(() => undefined);
  try {
    return host._fatalException(error);
  } finally {
    host.setUncaughtExceptionCaptureCallback(null);
  }
}

const AWAITS = 200;
const ALTERNATIONS = 20;

async function deepAwaits(depth: number): Promise<number> {
  let sum = 0;
  for (let level = 0; level < depth; level += 1) sum += await Promise.resolve(1);
  return sum;
}

/** A stream of the host's own is the longest chain of native ticks there is; absent before Node 20.16. */
function readStream(done: (text: string) => void): boolean {
  const { Readable } = host?.getBuiltinModule?.('node:stream') ?? {};
  if (Readable === undefined) return false;
  let text = '';
  const stream = Readable.from(['a', 'b', 'c']);
  stream.on('data', (chunk) => (text += String(chunk)));
  stream.on('end', () => done(text));
  return true;
}

/**
 * True when {@link drainMicrotasks} is exact here and now: deep await chains, ticks that queue microtasks that queue
 * ticks, and a native stream all come to rest within one call. False inside a microtask and on an engine without the
 * call; the caller then drains through `setImmediate`, with the same results but slower.
 */
export function canDrainSynchronously(): boolean {
  if (typeof tickCallback !== 'function' || nextTick === undefined) return false;
  let awaited = 0;
  let alternations = 0;
  let read: string | null = null;
  void deepAwaits(AWAITS).then((sum) => (awaited = sum));
  const alternate = (): void => {
    alternations += 1;
    if (alternations < ALTERNATIONS) nextTick(() => void Promise.resolve().then(alternate));
  };
  alternate();
  const streams = readStream((text) => (read = text));
  try {
    tickCallback();
  } catch {
    return false;
  }
  return awaited === AWAITS && alternations === ALTERNATIONS && (!streams || read === 'abc');
}
