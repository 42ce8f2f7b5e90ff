import { readFileSync } from 'node:fs';
import path from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { findScenario } from '../sim/catalogue/index.js';
import { inProcess } from './testing/in-process.js';
import { MY_LOCK, type Ended } from './testing/lockpick.js';
import { workInWorkplace } from './testing/work-in.js';

const place = workInWorkplace();

interface Document {
  format: string;
  flipsAt: number | null;
  closedForm: string | null;
  agrees: boolean | null;
  [field: string]: unknown;
}

async function margin(...args: string[]): Promise<Ended> {
  return inProcess(['margin', ...args]);
}

async function document(...args: string[]): Promise<Document> {
  const { stdout } = await margin(...args, '--json', '--quiet');
  return JSON.parse(stdout) as Document;
}

describe('lockpick margin', () => {
  it('prints the flip beside the closed form, within 100 columns, and how to see both sides', async () => {
    const { code, stdout } = await margin('S1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Flips at {5}991\.5 ms: holds there, violated\/lease at 991\.501 ms/);
    expect(stdout).toMatch(/Closed form {2}991 ms: P > T − \(δr \+ s \+ δw\)/);
    expect(stdout).toMatch(
      /^Just below {3}npx lockpick run S1 --lock single --set faults\.0\.forMs=991\.5$/m,
    );
    for (const line of stdout.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(100);
  });

  it('gives the document', async () => {
    expect(await document('S1')).toMatchObject({
      format: 'lockpick/margin@1',
      scenario: 'S1',
      lock: 'single',
      parameter: 'faults.0.forMs',
      flipsAt: 991.5,
      unit: 'ms',
      closedForm: 'P > T − (δr + s + δw), s = 0',
      closedFormFlipsAt: 991,
      agrees: true,
      below: { value: 991.5, verdict: 'holds' },
      above: { value: 991.501, verdict: 'violated', blame: 'lease' },
    });
  });

  it('asks about a lock that flips there where none is named', async () => {
    expect(await document('S15')).toMatchObject({
      lock: 'pitfall/wall-clock-validity',
      flipsAt: -17,
      agrees: true,
    });
    expect(await document('S15', '--lock', 'single')).toMatchObject({
      lock: 'single',
      flipsAt: null,
      agrees: null,
    });
  });

  it('varies a user’s own lock, whose contenders are not the eager rival', async () => {
    place.write('mine.ts', MY_LOCK);
    const found = await document('S1', '--lock', './mine.ts');
    expect(found).toMatchObject({ closedFormLock: 'single', agrees: null });
    expect(found.flipsAt).toBeGreaterThan(991);
  });

  it('says so where nothing flips, and ends with 3 where the verdicts are unknown', async () => {
    const calm = await margin('S1', '--to', '900');
    expect(calm.stdout).toMatch(/nowhere from 0 ms to 900 ms: holds all over/);
    expect(calm.code).toBe(0);
    const unknown = await margin(
      'S1',
      '--vary',
      'faults.0.on.nth',
      '--property',
      'exclusive-use',
      '--from',
      '5',
      '--to',
      '9',
    );
    expect(unknown.code).toBe(3);
  });

  it('draws a map in letters, and writes it as CSV and SVG, whatever the number of jobs', async () => {
    const grid = 'faults.0.forMs=800:1400:100,lock.ttlMs=1000:1200:100';
    const [one, two] = [
      await margin('S1', '--grid', grid, '--jobs', '1', '--out', 'one'),
      await margin('S1', '--grid', grid, '--jobs', '2', '--out', 'two'),
    ];
    expect(one.stdout.replaceAll('one/', '')).toBe(two.stdout.replaceAll('two/', ''));
    // Flips at 991.5, 1091.5 and 1191.5.
    expect(one.stdout).toContain(
      '1200 ms ┤········EEEEEE\n1100 ms ┤······EEEEEEEE\n1000 ms ┤····EEEEEEEEEE\n',
    );
    expect(one.stdout).toContain('The closed form lies where the map turns in 3 of 3 rows.');
    for (const line of one.stdout.split('\n'))
      if (!line.includes('.csv') && !line.includes('.svg') && !line.startsWith('Just'))
        expect(stringWidth(line), line).toBeLessThanOrEqual(100);
    const file = (kind: string): string =>
      readFileSync(path.resolve(/one\/\S+/.exec(one.stdout)![0].replace(/csv$/, kind)), 'utf8');
    const csv = file('csv').trim().split('\n');
    expect(csv).toHaveLength(1 + 7 * 3);
    expect(csv[0]).toBe('faults.0.forMs [ms],lock.ttlMs [ms],exclusive-use,blame,closedFormFlipsAt');
    expect(csv).toContain('1000,1000,violated,lease,991');
    expect(csv).toContain('1000,1100,holds,,1091');
    const svg = file('svg');
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toMatch(/href=|<script|url\((?!#)/);
  });
});

describe('a map', () => {
  it('has the range of the line where it has none of its own', async () => {
    const found = await document('S1', '--grid', 'faults.0.forMs,lock.ttlMs=1000:1100:100', '--from', '980');
    const { x } = found['grid'] as { x: { values: number[] } };
    expect(x.values[0]).toBe(980);
  });

  it('names the run that never ends', async () => {
    place.write(
      'stuck.mjs',
      MY_LOCK.replace('const value', 'if (ttlMs === 1100) for (;;);\n        const value'),
    );
    const grid = 'faults.0.forMs=0:100:50,lock.ttlMs=1000:1100:100';
    const { code, stderr } = await place.runWith(
      { LOCKPICK_WATCHDOG_MS: '6000' },
      ...['margin', 'S1', '--lock', './stuck.mjs', '--scan', '1', '--grid', grid],
    );
    expect(stderr).toContain(
      'lockpick: ./stuck.mjs: with lock.ttlMs=1100 and faults.0.forMs=0: it ran for 6 s without an end',
    );
    expect(code).toBe(1);
  });
});

it('speaks of the catalogue only where the scenario is its row', async () => {
  // Its rival comes long after the lease.
  const late = { ...findScenario('S1')!.scenario, overrides: { p2: { workload: { startMs: 2500 } } } };
  place.write('late.json', JSON.stringify(late));
  const { code, stdout } = await margin('./late.json');
  expect(stdout).toMatch(/Closed form {2}991 ms/);
  expect(code).toBe(0);
});

describe('bad usage ends with 2', () => {
  it.each([
    [
      'an unknown path',
      ['S1', '--vary', 'lock.ttlMss'],
      /no path `lock\.ttlMss` .*did you mean lock\.ttlMs\?/,
    ],
    ['what is no number', ['S1', '--vary', 'lock.name'], /lock\.name is a text, not a number/],
    ['a misspelt property', ['S1', '--property', 'exclusive-us'], /did you mean exclusive-use\?/],
    ['a range backwards', ['S1', '--from', '5', '--to', '1'], /runs backwards/],
    ['nothing to vary', ['C1'], /the catalogue has no boundary of C1/],
    ['one path for a map', ['S1', '--grid', 'lock.ttlMs'], /two paths with a comma between/],
    ['the same path twice', ['S1', '--grid', 'lock.ttlMs,lock.ttlMs'], /a map needs two/],
    [
      'a range that is none',
      ['S1', '--grid', 'lock.ttlMs=1:x:3,faults.0.forMs'],
      /is not path or path=from:to:step/,
    ],
    [
      'values that no scenario may have',
      ['S1', '--grid', 'faults.0.forMs=0:100,lock.ttlMs=-5:10'],
      /lock\.ttlMs: -5 ms is not allowed there: at least/,
    ],
    ['an endless scan', ['S1', '--scan', '100000000'], /At most 100000/],
    [
      'a place where no directory can be made',
      ['S1', '--scan', '1', '--grid', 'faults.0.forMs=0:100:50,lock.ttlMs=1000:1100:100', '--out', '/proc/x'],
      /\/proc\/x: no directory can be made there/,
    ],
    ['too many values', ['S1', '--grid', 'faults.0.forMs=0:2000:0.001,lock.ttlMs'], /values are too many/],
    [
      '--vary beside another map',
      ['S1', '--vary', 'lock.ttlMs', '--grid', 'faults.0.forMs,lock.ttlMs'],
      /differ/,
    ],
    ['--jobs without a map', ['S1', '--jobs', '2'], /--jobs is for maps/],
    ['an unknown scenario', ['S99'], /unknown scenario S99/],
  ] as const)('%s', async (_what, args, message) => {
    const { code, stdout, stderr } = await margin(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});
