import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Verdict, Verdicts } from '../../properties/verdict.js';
import { PROPERTY_IDS } from '../../sim/scenario/schema.js';
import { matrixReport, type MatrixCell, type MatrixOptions } from './matrix.js';

const HOLDS: Verdict = { verdict: 'holds', evaluated: 1 };

function verdicts(changes: Partial<Record<string, Verdict>> = {}): Verdicts {
  return Object.fromEntries(PROPERTY_IDS.map((id) => [id, changes[id] ?? HOLDS])) as Verdicts;
}

function violated(blame: 'library' | 'lease'): Verdict {
  return { verdict: 'violated', blame, reason: 'so it was', atUs: 1, evidence: [0], holds: [], evaluated: 1 };
}

function cell(scenario: string, lock: string, changes: Partial<MatrixCell> = {}): MatrixCell {
  return { scenario, lock, seed: 1, verdicts: verdicts(), asExpected: true, mismatches: [], ...changes };
}

const UNKNOWN = Object.fromEntries(
  PROPERTY_IDS.map((id) => [id, { verdict: 'unknown', reason: 'nothing happened' }]),
) as unknown as Verdicts;

const CELLS: readonly MatrixCell[] = [
  cell('S1', 'single', { verdicts: verdicts({ 'exclusive-use': violated('lease') }) }),
  cell('S1', 'redlock@4.2.0'),
  cell('S2', 'single', {
    verdicts: verdicts({ 'exclusive-use': violated('lease'), quiet: violated('library') }),
    asExpected: false,
    mismatches: [{ property: 'quiet', expected: 'not violated', found: 'violated/library' }],
  }),
  cell('S5', 'pitfall/no-ttl', { verdicts: UNKNOWN }),
];

const OPTIONS: MatrixOptions = {
  titles: new Map([
    ['S1', 'A pause between the read and the write'],
    ['S2', 'A pause between the check and the write'],
    ['S5', 'A lock without a ttl'],
  ]),
  kinds: new Map([
    ['single', 'reference'],
    ['redlock@4.2.0', 'adapter'],
    ['pitfall/no-ttl', 'pitfall'],
  ]),
  width: 100,
  paint: (_style, text) => text,
  brief: false,
  planned: 4,
  seconds: 0.5,
  interrupted: false,
  out: 'lockpick-out',
  command: (scenario, lock) => `npx lockpick run ${scenario} --lock ${lock}`,
};

describe('the matrix', () => {
  it('at 100 columns', async () => {
    await expect(matrixReport(CELLS, OPTIONS)).toMatchFileSnapshot('./snapshots/matrix.txt');
  });

  it('marks the unexpected cell without colour, and says what was expected', () => {
    const text = matrixReport(CELLS, OPTIONS);
    expect(text).toContain('[✗LT]');
    expect(text).toContain('[!] S2 × single  quiet: expected not violated, found violated/library');
    expect(text).toContain('1 of 4 cells not as expected; 4 runs in 0.5 s, 8 runs/s');
  });

  it('says how far it came when it was interrupted', () => {
    const text = matrixReport(CELLS.slice(0, 2), { ...OPTIONS, interrupted: true });
    expect(text).toContain('interrupted after 2 of 4 cells');
  });

  it('wraps into several tables, each within the width, and loses no lock', () => {
    const locks = Array.from({ length: 30 }, (_, index) => `some-lock-${index}`);
    const cells = locks.map((lock) => cell('S1', lock));
    const lines = matrixReport(cells, OPTIONS).split('\n');
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(100);
    expect(
      lines
        .filter((line) => line.startsWith('S1'))
        .join('')
        .match(/✓/g),
    ).toHaveLength(30);
  });

  it('is one line when all is well and little is to be said', () => {
    const lines = matrixReport(CELLS.slice(0, 2), { ...OPTIONS, brief: true }).split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('every cell as expected');
  });
});
