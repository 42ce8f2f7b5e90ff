/**
 * While a run's synchronous code executes, the host's globals are swapped for tripwires; they are back before the event
 * loop turns. A program that finds a way around its realm (`Function('return this')()`, a sloppy `this`, the constructor
 * of a host function) then meets a tripwire instead of a clock, a timer or a random source, and the run ends with its
 * stack instead of being silently different each time. Node's own internals hold what they captured at start and do not
 * notice.
 *
 * This gives determinism, not security.
 */
import { EscapeError } from './errors.js';
import { swaps } from './swaps.js';
import type { Swap } from './swaps.js';
import { hostDiffers, localeSwaps } from './swaps-locale.js';

type Listener = (error: EscapeError) => void;

let depth = 0;
let listener: Listener | null = null;
let missed: EscapeError | null = null;

/** A tripwire was touched. */
function tripped(route: string, below: (...args: never[]) => unknown): never {
  const error = new EscapeError(route, below);
  if (listener !== null) listener(error);
  else missed ??= error;
  throw error;
}

let all: readonly Swap[] | null = null;

/** Made on first use: a process that never runs a sealed program is left alone. */
function allSwaps(): readonly Swap[] {
  all ??= hostDiffers() ? [...swaps(tripped), ...localeSwaps()] : swaps(tripped);
  return all;
}

const FRAMES = 10;
const stacks = Error as { stackTraceLimit?: number; prepareStackTrace?: unknown };

/**
 * Runs `run` with the host's globals swapped, and restores them whatever happens. Within another call it only changes
 * who listens. `onEscape` hears of every tripwire touched; without it the first one is thrown at the end, also when the
 * program swallowed it. Costs a few microseconds: call it around a batch of steps, not around each.
 */
export function withGuard<T>(run: () => T, onEscape?: Listener): T {
  const outerListener = listener;
  if (onEscape !== undefined) listener = onEscape;
  const { stackTraceLimit, prepareStackTrace } = stacks;
  if (depth > 0) {
    try {
      return run();
    } finally {
      // What a load adds to it would otherwise add up over a batch.
      stacks.stackTraceLimit = stackTraceLimit;
      listener = outerListener;
    }
  }
  const made = allSwaps();
  const names = Object.keys(globalThis);
  depth = 1;
  missed = null;
  try {
    for (const swap of made) swap.apply();
    stacks.stackTraceLimit = FRAMES;
    if (prepareStackTrace !== undefined) stacks.prepareStackTrace = undefined;
    return run();
  } finally {
    for (const swap of made) swap.restore();
    stacks.stackTraceLimit = stackTraceLimit;
    if (stacks.prepareStackTrace !== prepareStackTrace) stacks.prepareStackTrace = prepareStackTrace;
    depth = 0;
    takeAwayNewGlobals(names);
    listener = outerListener;
    throwMissed();
  }
}

/** A variable assigned without declaration becomes the host's global: all processes would share it. */
function takeAwayNewGlobals(before: readonly string[]): void {
  const now = Object.keys(globalThis);
  if (now.length === before.length) return;
  const known = new Set(before);
  for (const name of now) {
    if (known.has(name)) continue;
    Reflect.deleteProperty(globalThis, name);
    const error = new EscapeError(`the global variable ${name}, assigned without a declaration`);
    if (listener !== null) listener(error);
    else missed ??= error;
  }
}

function throwMissed(): void {
  const error = missed;
  missed = null;
  if (error !== null && listener === null) throw error;
}
