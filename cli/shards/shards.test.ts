/** Parts that are merged are what one machine would have had; files that are no whole are refused. */
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { inProcess } from '../testing/in-process.js';
import { workInWorkplace } from '../testing/work-in.js';
import type { LockTrial } from '../trial/lock-trial.js';
import type { TrialResult } from '../trial/trial.js';
import { mergeTrialParts, trialPart } from './trial-part.js';

workInWorkplace();

/** Everything but what the clock says. */
function withoutTime(json: string): object {
  const { seconds, runsPerSecond, ...rest } = JSON.parse(json) as { seconds: number; runsPerSecond: number };
  expect(seconds).toBeGreaterThan(0);
  expect(runsPerSecond).toBeGreaterThan(0);
  return rest;
}

async function parts(of: number, ...words: string[]): Promise<string[]> {
  const files: string[] = [];
  for (let index = 1; index <= of; index++) {
    await inProcess([...words, '--out', 'parts', '--quiet', '--shard', `${index}/${of}`]);
    files.push(`parts/${words[0]}-shard${index}of${of}.json`);
  }
  return files;
}

const MATRIX = ['matrix', 'S1', 'S2', 'S3', '--lock', 'single', '--lock', 'redlock', '--seed', '3'];

describe('parts', () => {
  it('of a matrix make the whole', async () => {
    const whole = await inProcess([...MATRIX, '--json', '--out', 'parts']);
    const files = await parts(2, ...MATRIX);
    const merged = await inProcess(['merge', ...files.reverse(), '--json', '--out', 'parts']);
    expect(withoutTime(merged.stdout)).toEqual(withoutTime(whole.stdout));
    expect(merged.code).toBe(whole.code);
  });

  // A whole trial takes its time: what its parts hold is given here.
  it('of a trial make the whole', () => {
    const asked = { locks: ['a', 'b', 'c'], seed: null, huntRuns: 5 };
    const tried = (name: string): LockTrial => ({
      ...{ name, rows: 1, misfits: [], unknown: [], judged: {}, findings: [], expected: 0, unexpected: [] },
      ...{ noWire: null, notDeterministic: [], runs: 7, hunted: 5 },
    });
    const whole = {
      locks: [tried('a'), tried('c')],
      lost: [{ name: 'b', why: 'memory' }],
      interrupted: false,
    };
    const first = { ...whole, lost: [], seconds: 1 };
    const second = { ...whole, locks: [], seconds: 2 };
    const document = (result: TrialResult, index: number): unknown =>
      JSON.parse(JSON.stringify(trialPart(result, asked, { index, of: 2 })));
    const files = [
      { file: 'two', document: document(second, 2) },
      { file: 'one', document: document(first, 1) },
    ];
    expect(mergeTrialParts(files)).toEqual({ ...whole, seconds: 3 });
    const other = trialPart(second, { ...asked, huntRuns: 6 }, { index: 2, of: 2 });
    expect(() => mergeTrialParts([files[1]!, { file: 'other', document: other }])).toThrow(
      /other and one are parts of different trials/,
    );
  });

  describe('that are no whole end with 2', () => {
    let files: string[];
    beforeAll(async () => {
      files = await parts(2, ...MATRIX);
      await inProcess([
        'hunt',
        '--lock',
        'single',
        '--runs',
        '4',
        '--jobs',
        '1',
        '--shard',
        '1/2',
        '--out',
        'h',
      ]);
      const text = readFileSync(files[1]!, 'utf8');
      writeFileSync('older.json', text.replace(/"lockpick": ".*?"/, '"lockpick": "0.0.1"'));
      writeFileSync('three.json', text.replace('"of": 2', '"of": 3'));
      writeFileSync('other.json', text.replace('"--seed"', '"--sede"'));
      writeFileSync('cut.json', text.slice(0, 99));
    });

    it.each<[string, () => string[], RegExp]>([
      ['one missing', () => [files[0]!], /the part 2\/2 is missing/],
      ['one twice', () => [files[0]!, files[0]!], /matrix-shard1of2\.json are both 1\/2/],
      ['by another lockpick', () => [files[0]!, 'older.json'], /older\.json was written by lockpick 0\.0\.1/],
      ['of different wholes', () => [files[0]!, 'three.json'], /three\.json is 2\/3 and .* 1\/2/],
      ['of other cells', () => [files[0]!, 'other.json'], /parts of different matrices/],
      ['cut off', () => [files[0]!, 'cut.json'], /cut\.json:\d+: not JSON/],
      ['of two kinds', () => [files[0]!, 'h/hunt-single-shard1of2.json'], /hunt-single-shard1of2\.json/],
      ['of nothing', () => ['package.json'], /package\.json: no such file/],
      ['and --corpus for a matrix', () => [...files, '--corpus', 'c'], /--corpus is of hunts/],
    ])('%s', async (_what, words, message) => {
      const { code, stderr, stdout } = await inProcess(['merge', ...words()]);
      expect(stderr).toMatch(message);
      expect(code).toBe(2);
      expect(stdout).toBe('');
    });
  });

  it('more parts than cells are refused', async () => {
    const { code, stderr } = await inProcess(['matrix', 'S1', '--lock', 'single', '--shard', '1/2']);
    expect(stderr).toMatch(/--shard 1\/2: there are only 1 cells to share/);
    expect(code).toBe(2);
  });
});
