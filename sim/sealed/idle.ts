import type { ProcessServices } from './services.js';

/** Services of a process that does not run: for loading a module only to see what it exports. */
export function idleServices(host = 'p0'): ProcessServices {
  let draws = 0;
  const draw = (): number => {
    draws = (Math.imul(draws, 1_664_525) + 1_013_904_223) >>> 0;
    return draws;
  };
  return {
    host,
    wallMs: () => 0,
    monotonicMs: () => 0,
    startTimer: () => ({ active: true, referenced: true }),
    stopTimer: () => undefined,
    startImmediate: () => ({ cancelled: false }),
    nextTick: () => undefined,
    random: () => draw() / 2 ** 32,
    randomUint32: draw,
    escaped: () => undefined,
    printed: () => undefined,
    exit: () => undefined,
  };
}
