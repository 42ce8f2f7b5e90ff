import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { digest } from '../../sim/history/digest.js';
import { loadLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import { resolveLock } from '../../src/resolve.js';
import { resolveScenario } from '../resolve.js';
import { MY_LOCK } from '../testing/lockpick.js';
import { runScenario } from './index.js';
import { lockWord } from './place.js';
import { simulationThread } from './run-scenario.js';

let place: string;
const write = (file: string, text: string): URL => {
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, file), text);
  return pathToFileURL(path.join(place, file));
};

beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), 'lockpick-vitest-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The same run without a thread. */
async function plainDigest(id: string, lock: string): Promise<string> {
  const scenario = resolveScenario(id);
  const named = { ...scenario, lock: { ...scenario.lock, name: lock } };
  return digest(await simulate(named, await loadLock(resolveLock(lock))));
}

describe('runScenario', () => {
  test('gives the history that the command gives', async () => {
    const history = await runScenario('S1', { lock: 'single' });
    expect(digest(history)).toBe(await plainDigest('S1', 'single'));
  });

  test('on the wire as well', async () => {
    const set = { 'processes.transport': 'wire' };
    const scenario = { ...resolveScenario('S1'), lock: { ...resolveScenario('S1').lock, name: 'single' } };
    const wired = { ...scenario, processes: { ...scenario.processes, transport: 'wire' as const } };
    const expected = digest(await simulate(wired, await loadLock(resolveLock('single'))));
    expect(digest(await runScenario('S1', { lock: 'single', set }))).toBe(expected);
  });

  test('takes a file by its URL, and scenarios as data', async () => {
    const lock = write('mine.mjs', MY_LOCK);
    const history = await runScenario({ id: 'own', workload: { rounds: 2 } }, { lock, seed: 7 });
    expect(history.header.scenario).toMatchObject({
      id: 'own',
      seed: 7,
      lock: { name: lockWord(lock) },
      workload: { rounds: 2 },
    });
    expect(history.events.filter(({ kind }) => kind === 'use').length).toBeGreaterThan(0);
  });

  test('makes changes by path, and refuses paths that are none', async () => {
    const history = await runScenario('S1', { set: { 'resource.fenced': true }, lock: 'single-fenced' });
    expect(history.header.scenario.resource.fenced).toBe(true);
    await expect(runScenario('S1', { set: { 'resource.fence': true } })).rejects.toThrow(
      /set: no path `resource.fence` in a scenario \(did you mean resource.fenced\?\)/,
    );
  });

  test('names a lock that there is not, and what is wrong with one', async () => {
    await expect(runScenario('S1', { lock: 'singel' })).rejects.toThrow('did you mean single?');
    await expect(runScenario('S1', { lock: new URL('./none.ts', import.meta.url) })).rejects.toThrow(
      'none.ts: no such file',
    );
    await expect(runScenario('S1', { lock: new URL('https://a.example/lock.ts') })).rejects.toThrow(
      'is no file',
    );
    const broken = write('broken.mjs', `import 'no-such-package'; export default 1;`);
    await expect(runScenario('S1', { lock: broken })).rejects.toMatchObject({
      name: 'LockModuleError',
      message: expect.stringContaining('npm i -D no-such-package') as unknown,
    });
    await expect(runScenario('R1', { lock: 'single' })).rejects.toThrow('is a lock of one server');
  });
});

describe('a test runner around it', () => {
  test('fake timers, a mocked Date and a stubbed global are no matter', async () => {
    const expected = await plainDigest('S1', 'single');
    vi.useFakeTimers({
      now: 0,
      toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'performance'],
    });
    vi.stubGlobal('queueMicrotask', () => undefined);
    expect(digest(await runScenario('S1', { lock: 'single', seed: 1 }))).toBe(expected);
    expect(vi.getTimerCount()).toBe(0);
    expect(Date.now()).toBe(0);
  });

  test('its listeners hear nothing of what a lock leaves unhandled', async () => {
    const heard: unknown[] = [];
    const listener = (reason: unknown): void => void heard.push(reason);
    process.on('unhandledRejection', listener);
    const rejecting = write(
      'rejecting.mjs',
      MY_LOCK.replace('const value', `void Promise.reject(new Error('left alone')); const value`),
    );
    const history = await runScenario('S1', { lock: rejecting });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off('unhandledRejection', listener);
    expect(heard).toEqual([]);
    expect(history.events.some((event) => event.kind === 'trouble')).toBe(true);
  });

  test('its event loop turns meanwhile', async () => {
    let turns = 0;
    const turning = setInterval(() => turns++, 1);
    await runScenario('S1', { lock: 'single', set: { 'workload.rounds': 200, faults: [] } });
    clearInterval(turning);
    expect(turns).toBeGreaterThan(3);
  });

  test('orders given at once are answered each with its own run', async () => {
    const seeds = [1, 2, 3, 4];
    const histories = await Promise.all(seeds.map((seed) => runScenario('S1', { lock: 'single', seed })));
    expect(histories.map(({ header }) => header.scenario.seed)).toEqual(seeds);
  });

  test('a thread that ends is named, and the next order starts another', async () => {
    const lock = write('leaves.mjs', MY_LOCK.replace('const value', 'process.exit(3); const value'));
    const history = await runScenario('S1', { lock });
    // Inside the seal that ends the simulated process alone.
    expect(history.events.some(({ kind }) => kind === 'crash' || kind === 'trouble')).toBe(true);
    const asked = runScenario('S1', { lock: 'single', set: { 'workload.rounds': 2000, faults: [] } });
    await simulationThread().stop();
    await expect(asked).rejects.toThrow('the thread that simulates ended');
    expect((await runScenario('S1', { lock: 'single' })).events.length).toBeGreaterThan(10);
  });
});
