import { fc, test as prop } from '@fast-check/vitest';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { digest } from '../../sim/history/digest.js';
import type { History } from '../../sim/history/events.js';
import { readCounterexample } from '../../sim/history/file.js';
import { loadLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { resolveLock } from '../../src/resolve.js';
import { resolveScenario } from '../resolve.js';
import { inProcess } from '../testing/in-process.js';
import { MY_LOCK } from '../testing/lockpick.js';
import { anyScenario, checkLock, runScenario } from './index.js';
import { lockWord } from './place.js';
import { simulationThread } from './run-scenario.js';
import { SimulationThread } from './thread/thread.js';

// One file: what it imports is most of what its tests cost.

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

  test('a lock that never gives way is named, and costs nobody else anything', async () => {
    vi.stubEnv('LOCKPICK_WATCHDOG_MS', '1500');
    const thread = new SimulationThread();
    vi.unstubAllEnvs();
    const looping = write('looping.mjs', MY_LOCK.replace('const value', 'for (;;); const value'));
    const scenario = resolveScenario('S1');
    const ask = (lock: string) =>
      thread.ask({
        kind: 'run',
        lock,
        directory: process.cwd(),
        scenario: { ...scenario, lock: { ...scenario.lock, name: lock } },
      });
    await expect(ask(lockWord(looping))).rejects.toThrow(
      /looping\.mjs: a hot loop: the lock ran for 1\.5 s without giving way; `lockpick run` says where/,
    );
    expect((await ask('single')).history.events.length).toBeGreaterThan(10);
    await thread.stop();
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

describe('judging', () => {
  let out: string;
  let broken: History;
  let sound: History;

  beforeAll(async () => {
    out = mkdtempSync(path.join(tmpdir(), 'lockpick-hold-'));
    [broken, sound] = await Promise.all([
      runScenario('S8', { lock: 'pitfall/del-without-check' }),
      runScenario('S8', { lock: 'single' }),
    ]);
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  function messageOf(assertion: () => void): string {
    try {
      assertion();
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('nothing was thrown');
  }

  describe('toHold', () => {
    test('passes what holds, one or several', () => {
      expect(sound).toHold('mutual-exclusion', { out });
      expect(sound).toHold(['mutual-exclusion', 'own-key-only'], { out });
      expect(readdirSync(out)).toEqual([]);
    });

    test('fails with the report, a saved counterexample and its replay line, which works', async () => {
      const message = messageOf(() => expect(broken).toHold('own-key-only', { out }));
      expect(message).toContain('expected own-key-only to hold: own-key-only is violated, blame library');
      expect(message).toContain('What led to');
      const file = /Replay +npx lockpick replay (\S+)/.exec(message)![1]!;
      expect(readCounterexample(file)).toMatchObject({ property: 'own-key-only', blame: 'library' });
      const replay = await inProcess(['replay', file, '--quiet', '--out', path.join(out, 'again')]);
      expect(replay).toMatchObject({ code: 1 });
      expect(replay.stderr).toContain('reproduced: own-key-only, blame library');
    });

    test('counts the blames that are asked about', async () => {
      const history = await runScenario('S1', { lock: 'single' });
      expect(history).toHold('no-stale-write', { failOn: 'library', out });
      expect(messageOf(() => expect(history).toHold('no-stale-write', { failOn: ['lease'], out }))).toContain(
        'blame lease',
      );
      expect(history).not.toHold('no-stale-write', { failOn: 'lease', out });
      expect(() => expect(history).not.toHold('no-stale-write', { failOn: 'library', out })).toThrow(
        'expected a violation, and there is none (S1, lock single, seed 1)',
      );
    });

    test('`not` wants a violation, and keeps no file of it', () => {
      const before = readdirSync(out).length;
      expect(broken).not.toHold('own-key-only', { out });
      expect(readdirSync(out).length).toBe(before);
      expect(() => expect(sound).not.toHold('own-key-only', { out })).toThrow('there is none');
    });

    test('what is unknown neither holds nor does not', () => {
      expect(() => expect(sound).toHold('fencing-order', { out })).toThrow(
        /fencing-order is unknown: .*token/,
      );
      expect(() => expect(sound).not.toHold('fencing-order', { out })).toThrow('is unknown');
      expect(sound).toHold('fencing-order', { orUnknown: true, out });
    });

    test('refuses what is no history, no property and no blame', () => {
      expect(() => expect(Promise.resolve(sound)).toHold('quiet')).toThrow('expect(await runScenario(...))');
      expect(() => expect({ events: [] }).toHold('quiet')).toThrow('toHold wants a history');
      expect(() => expect(sound).toHold('mutual-exclusoin' as 'quiet')).toThrow(
        'did you mean mutual-exclusion',
      );
      expect(() => expect(sound).toHold([])).toThrow('at least one property');
      expect(() => expect(sound).toHold('quiet', { failOn: 'lib' as 'library' })).toThrow(
        '`lib` is no blame',
      );
    });

    test('a counterexample names a user’s lock relative to itself', () => {
      const files = readdirSync(out).filter((name) => name.endsWith('.counterexample.json'));
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(readFileSync(path.join(out, file), 'utf8')).not.toContain(tmpdir());
    });
  });
});

describe('generating', () => {
  let out: string;
  beforeAll(() => {
    out = mkdtempSync(path.join(tmpdir(), 'lockpick-any-'));
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  describe('anyScenario', () => {
    prop.prop([anyScenario({ lock: 'single', assume: 'pauses' })], { seed: 1, numRuns: 20 })(
      'a sound lock is never to blame',
      async (scenario) => {
        const history = await runScenario(scenario);
        expect(history).toHold(['mutual-exclusion', 'own-key-only'], {
          failOn: 'library',
          orUnknown: true,
          out,
        });
      },
    );

    test('a broken one is: the counterexample is readable, and the last one is in the file', async () => {
      const scenarios = anyScenario({ lock: 'pitfall/del-without-check', assume: 'pauses' });
      const property = fc.asyncProperty(scenarios, async (scenario) => {
        const options = { failOn: 'library', orUnknown: true, out } as const;
        expect(await runScenario(scenario)).toHold('own-key-only', options);
      });
      // Made smaller, it would fail a hundred times more: two failures show what becomes of the files.
      for (const seed of [1, 2]) {
        const once = await fc.check(property, { seed, numRuns: 100, endOnFailure: true });
        expect(once.failed).toBe(true);
        const [scenario] = once.counterexample!;
        expect(fc.stringify(scenario)).toMatch(
          /lock pitfall\/del-without-check · seed \d+ · 1 server.* · \d process[^·]* · ttl \d+ ms/,
        );
        const files = readdirSync(out).filter((name) => name.endsWith('.counterexample.json'));
        expect(files).toHaveLength(1);
        expect(files[0]).toMatch(/a-broken-one-is-the-counterexample-is-readable/);
        expect(readCounterexample(path.join(out, files[0]!)).scenario).toEqual(parseScenario(scenario));
      }
    });

    test('draws what it is asked for', () => {
      const sample = (options: Partial<Parameters<typeof anyScenario>[0]>) =>
        fc.sample(anyScenario({ lock: 'redlock', ...options }), { seed: 3, numRuns: 60 }).map((input) => {
          const { faults, servers, resource } = parseScenario(input);
          return { faults: new Set(faults.map(({ do: what }) => what)), servers: servers.count, resource };
        });
      expect(new Set(sample({}).map(({ servers }) => servers))).toEqual(new Set([3, 5]));
      expect(new Set(sample({ servers: 7 }).map(({ servers }) => servers))).toEqual(new Set([7]));
      expect(sample({ assume: 'calm' }).every(({ faults }) => faults.size === 0)).toBe(true);
      const some = sample({ faults: ['pause', 'crash'] }).flatMap(({ faults }) => [...faults]);
      expect(new Set(some)).toEqual(new Set(['pause', 'crash']));
      expect(sample({ fenced: true }).every(({ resource }) => resource.fenced)).toBe(true);
    });

    test('says the same in words as in data', () => {
      const text = fc.stringify(
        fc.sample(anyScenario({ lock: 'redlock', assume: 'partitions' }), { seed: 9, numRuns: 40 }),
      );
      expect(text).toMatch(/▼ partition p\d → redis-\d/);
      expect(text).toMatch(/, (at \d+ ms|(at|\d+ ms after) '[\w-]+' of p\d)/);
      expect(text).not.toContain('undefined');
      expect(text).not.toContain('[object');
    });

    test('refuses what it does not know', () => {
      expect(() => anyScenario({ lock: 'singel' })).toThrow('did you mean single?');
      expect(() => anyScenario({ lock: 'single', assume: 'pause' as 'pauses' })).toThrow(
        'did you mean pauses?',
      );
      expect(() => anyScenario({ lock: 'single', faults: ['pauze' as 'pause'] })).toThrow(
        'did you mean pause?',
      );
      expect(() => anyScenario({ lock: 'single', assume: 'clocks', faults: ['pause'] })).toThrow(
        'nothing is left to hunt with',
      );
    });
  });
});

describe('checking', () => {
  let place: string;
  let out: string;
  beforeAll(() => {
    place = mkdtempSync(path.join(tmpdir(), 'lockpick-check-'));
    out = path.join(place, 'out');
    mkdirSync(out);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  const write = (file: string, text: string): URL => {
    writeFileSync(path.join(place, file), text);
    return pathToFileURL(path.join(place, file));
  };
  const sound = new URL('../../src/locks/single.ts', import.meta.url);
  /** Release as it should not be. */
  const DEL = MY_LOCK.replace(/await redis\.eval\(.*/, 'await redis.del(resource);');

  async function messageOf(checked: Promise<unknown>): Promise<string> {
    return checked.then(
      () => 'nothing was thrown',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  describe('checkLock', () => {
    test('a sound lock is green', async () => {
      const lock = sound;
      const { rows, runs, coverage } = await checkLock(lock, { assume: 'pauses', runs: 100, out });
      expect(rows).toBeGreaterThan(3);
      expect(runs).toBe(100);
      expect(coverage.faultsWhileHeld).toBeGreaterThan(20);
      expect(readdirSync(out)).toEqual([]);
    });

    test('a quorum lock plays the rows of quorums', async () => {
      const { rows } = await checkLock(new URL('../../src/locks/redlock.ts', import.meta.url), {
        assume: 'pauses',
        runs: 60,
        out,
      });
      expect(rows).toBeGreaterThan(3);
      expect(readdirSync(out)).toEqual([]);
    });

    test('a broken one is red: the smallest finding, and a file that replays it', async () => {
      const message = await messageOf(
        checkLock(write('broken.mjs', DEL), { runs: 40, assume: 'pauses', out }),
      );
      expect(message).toMatch(/^LockCheckFailed: \S*broken\.mjs: \d+ violations in \d+ rows/);
      expect(message).toContain('blame library');
      expect(message).toContain('What would change it');
      const file = /Replay +npx lockpick replay (\S+)/.exec(message)![1]!;
      expect(readCounterexample(file)).toMatchObject({ blame: 'library', lock: { path: '../broken.mjs' } });
      const replay = await inProcess(['replay', file, '--quiet', '--out', path.join(place, 'again')]);
      expect(replay).toMatchObject({ code: 1 });
      expect(replay.stderr).toContain('reproduced');
    });

    test('finds the same every time', async () => {
      const lock = write('again.mjs', DEL);
      const asked = { runs: 30, seed: 5, assume: 'pauses', properties: 'own-key-only', out } as const;
      const once = await messageOf(checkLock(lock, asked));
      const file = /Replay +npx lockpick replay (\S+)/.exec(once)![1]!;
      const text = readFileSync(file, 'utf8');
      expect(await messageOf(checkLock(lock, asked))).toBe(once);
      expect(readFileSync(file, 'utf8')).toBe(text);
    });

    test('looks for what it is told to', async () => {
      const lock = write('told.mjs', DEL);
      const asked = { runs: 150, assume: 'pauses', out } as const;
      expect(await messageOf(checkLock(lock, { ...asked, failOn: 'infrastructure' }))).toMatch('nothing was');
      expect(await messageOf(checkLock(lock, { ...asked, properties: 'settles' }))).toMatch('nothing was');
      expect(await messageOf(checkLock(lock, { ...asked, properties: 'own-key-only' }))).not.toContain(
        'mutual-exclusion, blame',
      );
    });

    test('a lock that says nothing is unknown, and says why', async () => {
      const away = write(
        'away.mjs',
        `import net from 'node:net';\n${MY_LOCK.replace('const value', `await new Promise((_, no) => net.connect(6379, '10.0.0.1').on('error', no)); const value`)}`,
      );
      const message = await messageOf(checkLock(away, { runs: 20, assume: 'pauses', out }));
      expect(message).toContain(
        'unknown: the lock was never granted in 20 runs: p1: the program tried to leave',
      );
      expect(message).not.toContain('nor that');
      expect(message).toContain('10.0.0.1:6379');
      expect(await messageOf(checkLock(sound, { runs: 2, assume: 'pauses', out }))).toContain('more `runs`');
    });

    test('refuses options that can have no effect', async () => {
      const lock = write('refused.mjs', MY_LOCK);
      const refused = async (options: Parameters<typeof checkLock>[1]) =>
        messageOf(checkLock(lock, { ...options, out }));
      expect(await refused({ assume: 'pause' as 'pauses' })).toContain('did you mean pauses?');
      expect(await refused({ runs: 0 })).toContain('a whole number of at least 1');
      expect(await refused({ assume: 'clocks', faults: ['pause'] })).toContain(
        'nothing is left to hunt with',
      );
      expect(await refused({ properties: 'permits' })).toContain('cannot show permits');
      expect(await refused({ set: { 'lock.ttl': 5 } })).toContain('did you mean lock.ttlMs');
    });
  });
});
