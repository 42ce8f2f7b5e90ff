import { afterAll, describe, expect, it } from 'vitest';
import { TestProcess, probe, removeScratch } from '../testing.js';
import { delayOf } from './timers.js';

afterAll(removeScratch);

const LOG = `const log = []; const at = (what) => log.push([performance.now(), what]);
  const until = (ms) => new Promise((resolve) => setTimeout(resolve, ms)).then(() => log);`;

describe('timers', () => {
  it('delays are those of Node', () => {
    const given = [undefined, 0, -5, NaN, 1, 1.9, '20', 2 ** 31 - 1, 2 ** 31, Infinity, null];
    expect(given.map(delayOf)).toEqual([1, 1, 1, 1, 1, 1, 20, 2 ** 31 - 1, 1, 1, 1]);
  });

  it('pass arguments, repeat, and stop by object, by number and by dispose', async () => {
    expect(
      await probe(`${LOG} setTimeout((a, b) => at(a + b), 5, 1, 2);
        const every = setInterval(() => { at('every'); if (performance.now() >= 20) clearInterval(every); }, 10);
        clearTimeout(setTimeout(() => at('never'), 1)); clearTimeout(+setTimeout(() => at('never'), 1));
        clearInterval(String(+setTimeout(() => at('never'), 1)));
        setTimeout(() => at('never'), 1)[Symbol.dispose](); setTimeout(() => at('never'), 1).close();
        clearTimeout(undefined); clearTimeout(null); clearTimeout({}); clearTimeout(99);
        return until(50);`),
    ).toEqual([
      [5, 3],
      [10, 'every'],
      [20, 'every'],
    ]);
  });

  it('ref, unref, hasRef, refresh, and the timer as `this`', async () => {
    expect(
      await probe(`${LOG} const timer = setTimeout(function () { at(this === timer); }, 10);
        const refs = [timer.hasRef(), timer.unref() === timer, timer.hasRef(), timer.ref().hasRef()];
        setTimeout(() => timer.refresh(), 6); setTimeout(() => timer.refresh(), 30);
        return until(60).then(() => [refs, log]);`),
    ).toEqual([
      [true, true, false, true],
      [
        [16, true],
        [40, true],
      ],
    ]);
  });

  it('a callback that is no function is refused as Node refuses it', async () => {
    expect(
      await probe(`return [() => setTimeout('code', 1), () => setImmediate(), () => process.nextTick(1), () => queueMicrotask({})].map((f) => {
        try { f(); } catch (error) { return error.code; } });`),
    ).toEqual(Array.from({ length: 4 }, () => 'ERR_INVALID_ARG_TYPE'));
  });

  it('ticks come before microtasks, immediates after both, timers last', async () => {
    expect(
      await probe(`${LOG} setTimeout(at, 0, 'timer'); setImmediate(at, 'immediate'); Promise.resolve().then(() => at('microtask'));
        queueMicrotask(() => at('queued')); process.nextTick((a, b) => at(a + b), 'ti', 'ck');
        const cancelled = setImmediate(at, 'never'); clearImmediate(cancelled); return until(5);`),
    ).toEqual([
      [0, 'tick'],
      [0, 'microtask'],
      [0, 'queued'],
      [0, 'immediate'],
      [1, 'timer'],
    ]);
  });

  it('what callbacks throw is uncaught in the process, not in the host', async () => {
    const process = new TestProcess();
    await probe(
      `setTimeout(() => { throw new Error('timer'); }, 1); queueMicrotask(() => { throw new Error('microtask'); });
       process.nextTick(() => { throw new Error('tick'); });
       const target = new EventTarget(); target.addEventListener('x', () => { throw new Error('listener'); });
       target.dispatchEvent(new Event('x')); return new Promise((resolve) => setTimeout(resolve, 9));`,
      { process },
    );
    expect(process.uncaught.map((error) => (error as Error).message)).toEqual([
      'tick',
      'listener',
      'microtask',
      'timer',
    ]);
  });
});

describe('timers/promises', () => {
  it('resolves with the value, as a module, a named import and through promisify', async () => {
    expect(
      await probe(`const { setTimeout: wait, setImmediate: now, scheduler } = require('node:timers/promises');
        const { promisify } = require('util');
        return Promise.all([wait(5, 'a'), now('b'), promisify(setTimeout)(7, 'c'), promisify(setImmediate)('d'),
          scheduler.wait(3), require('timers').promises.setTimeout(2, 'e')]).then((all) => [...all, performance.now()]);`),
    ).toEqual(['a', 'b', 'c', 'd', undefined, 'e', 7]);
  });

  it('rejects when its signal aborts, and leaves no timer', async () => {
    const process = new TestProcess();
    expect(
      await probe(
        `const { setTimeout: wait } = require('timers/promises'); const controller = new AbortController();
         setTimeout(() => controller.abort(new Error('why')), 5);
         return Promise.allSettled([wait(1000, 1, { signal: controller.signal }), wait(1000, 1, { signal: AbortSignal.abort() }),
           wait(3, 'in time', { signal: controller.signal })]).then((all) => [performance.now(),
           ...all.map((one) => one.value ?? [one.reason.name, one.reason.code, one.reason.cause.message])]);`,
        { process },
      ),
    ).toEqual([
      5,
      ['AbortError', 'ABORT_ERR', 'why'],
      ['AbortError', 'ABORT_ERR', 'This operation was aborted'],
      'in time',
    ]);
    process.runUntil(() => false);
    expect(process.nowMs).toBe(5);
  });

  it('setInterval iterates, catches up, and stops by break and by signal', async () => {
    expect(
      await probe(`const { setInterval: every, setTimeout: wait } = require('timers/promises');
        return (async () => { const log = [];
          for await (const value of every(10, 'v')) { log.push([performance.now(), value]); if (log.length === 2) await wait(25); if (log.length === 4) break; }
          const controller = new AbortController(); setTimeout(() => controller.abort(), 15);
          try { for await (const _ of every(10, 0, { signal: controller.signal })) log.push(performance.now()); } catch (error) { log.push(error.name); }
          return log; })();`),
    ).toEqual([[10, 'v'], [20, 'v'], [45, 'v'], [45, 'v'], 55, 'AbortError']);
  });
});
