import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { History } from '../../sim/history/events.js';
import { readCounterexample } from '../../sim/history/file.js';
import { inProcess } from '../testing/in-process.js';
import { runScenario } from './index.js';

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
    expect(() => expect(sound).toHold('fencing-order', { out })).toThrow(/fencing-order is unknown: .*token/);
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
    expect(() => expect(sound).toHold('quiet', { failOn: 'lib' as 'library' })).toThrow('`lib` is no blame');
  });

  test('a counterexample names a user’s lock relative to itself', () => {
    const files = readdirSync(out).filter((name) => name.endsWith('.counterexample.json'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(readFileSync(path.join(out, file), 'utf8')).not.toContain(tmpdir());
    expect(existsSync('lockpick-out/S8-pitfall-del-without-check-seed1.counterexample.json')).toBe(false);
  });
});
