import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCounterexample } from '../../sim/history/file.js';
import { inProcess } from '../testing/in-process.js';
import { MY_LOCK } from '../testing/lockpick.js';
import { checkLock } from './index.js';

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
  test('a sound lock is green, under every assumption', async () => {
    const lock = sound;
    const { rows, runs, coverage } = await checkLock(lock, { runs: 250, out });
    expect(rows).toBeGreaterThan(20);
    expect(runs).toBe(250);
    expect(coverage.faultsWhileHeld).toBeGreaterThan(100);
    await checkLock(lock, { assume: 'pauses', runs: 150, out });
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
    const message = await messageOf(checkLock(write('broken.mjs', DEL), { runs: 60, out }));
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
    const once = await messageOf(checkLock(lock, { runs: 40, seed: 5, assume: 'pauses', out }));
    const file = /Replay +npx lockpick replay (\S+)/.exec(once)![1]!;
    const text = readFileSync(file, 'utf8');
    expect(await messageOf(checkLock(lock, { runs: 40, seed: 5, assume: 'pauses', out }))).toBe(once);
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
    const message = await messageOf(checkLock(away, { runs: 20, out }));
    expect(message).toContain('unknown: in 20 runs it never happened that a lock was granted');
    expect(message).toContain('10.0.0.1:6379');
    expect(await messageOf(checkLock(sound, { runs: 2, out }))).toContain('more `runs`');
  });

  test('refuses options that can have no effect', async () => {
    const lock = write('refused.mjs', MY_LOCK);
    const refused = async (options: Parameters<typeof checkLock>[1]) =>
      messageOf(checkLock(lock, { ...options, out }));
    expect(await refused({ assume: 'pause' as 'pauses' })).toContain('did you mean pauses?');
    expect(await refused({ runs: 0 })).toContain('a whole number of at least 1');
    expect(await refused({ assume: 'clocks', faults: ['pause'] })).toContain('nothing is left to hunt with');
    expect(await refused({ properties: 'permits' })).toContain('cannot show permits');
    expect(await refused({ set: { 'lock.ttl': 5 } })).toContain('did you mean lock.ttlMs');
  });
});
