import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import {
  faultyControl,
  scorecard,
  type ScorecardOptions,
  type ScoredFinding,
  type ScoredLock,
} from './scorecard.js';

function finding(changes: Partial<ScoredFinding> = {}): ScoredFinding {
  return {
    property: 'mutual-exclusion',
    blame: 'library',
    reason: "p1/1/1 and p2/1/1 both believe to hold a from 1014 ms: the lock's claim for p1/1/1 still ran",
    transport: 'wire',
    scenario: 'S15',
    scenarios: ['S15'],
    command: 'npx lockpick run S15 --lock some-lock@4.2.0 --set processes.transport=wire',
    bySettings: false,
    counts: true,
    ...changes,
  };
}

function lock(name: string, changes: Partial<ScoredLock> = {}): ScoredLock {
  return {
    name,
    control: false,
    rows: 88,
    misfits: 1,
    unknown: 2,
    hunted: 200,
    expected: 0,
    judged: { 'mutual-exclusion': 80, 'exclusive-use': 70, quiet: 88 },
    findings: [],
    noWire: null,
    unexpected: [],
    notDeterministic: [],
    ...changes,
  };
}

const LOCKS: readonly ScoredLock[] = [
  lock('some-lock@4.2.0', {
    expected: 60,
    findings: [
      finding(),
      finding({
        property: 'exclusive-use',
        reason: 'a write of p1/1/1 reached the storage',
        scenarios: ['S15', 'R2'],
      }),
      finding({
        property: 'honest-validity',
        reason: 'p1/1/1 was granted at 4 ms with a claim that outlasts its keys',
        scenario: null,
        scenarios: [],
        transport: 'direct only',
        counts: false,
        command: 'npx lockpick replay lockpick-out/hunt-some-lock@4.2.0-seed9-f524340b.counterexample.json',
      }),
      finding({ property: 'progress', blame: 'usage', scenario: 'M1', scenarios: ['M1'], counts: false }),
    ],
  }),
  lock('@somebody/a-package-with-a-long-name@12.0.1/variant', {
    noWire: 'the client package redis@4 is not installed: npm i -D redis-4@npm:redis@4',
    expected: 2,
    unexpected: [
      {
        scenario: 'B01',
        mismatches: [{ property: 'loss-signalled', expected: 'violated/library', found: 'holds' }],
        unknownBecause: null,
        command: 'npx lockpick run B01 --lock @somebody/a-package-with-a-long-name@12.0.1/variant',
      },
    ],
  }),
  lock('redlock', {
    control: true,
    expected: 75,
    findings: [
      finding({
        property: 'progress',
        reason: 'p1/1/1 asked for a and got nothing for 3310 ms',
        scenario: 'R9',
        scenarios: ['R9'],
        command: 'npx lockpick run R9 --lock redlock --set processes.transport=wire',
        bySettings: true,
        counts: false,
      }),
    ],
  }),
];

const OPTIONS: ScorecardOptions = {
  paint: (_style, text) => text,
  width: 100,
  brief: false,
  titles: new Map([
    ['S15', "The client's clock jumps back"],
    ['R9', 'Retries without jitter'],
  ]),
  lost: [{ name: './my-lock.ts', why: 'it ran for 20 s without an end, in S4' }],
  runs: 400,
  seconds: 8,
  interrupted: false,
  out: 'lockpick-out',
};

describe('the scorecard at 100 columns', () => {
  it('of two libraries and a control', async () => {
    await expect(scorecard(LOCKS, OPTIONS)).toMatchFileSnapshot('./snapshots/scorecard.txt');
  });

  it('keeps within them, but for commands, which can be pasted', () => {
    const lines = scorecard(LOCKS, OPTIONS).split('\n');
    for (const line of lines.filter((text) => !text.includes('npx lockpick')))
      expect(stringWidth(line), line).toBeLessThanOrEqual(100);
    for (const { findings } of LOCKS)
      for (const { command, blame } of findings)
        if (blame === 'library') expect(lines.map((line) => line.trim())).toContain(command);
  });

  it('says the same without colour', () => {
    const painted = scorecard(LOCKS, {
      ...OPTIONS,
      paint: (style, text) => styleText(style, text, { validateStream: false }),
    });
    // eslint-disable-next-line no-control-regex
    expect(painted.replace(/\x1b\[[\d;]*m/g, '')).toBe(scorecard(LOCKS, OPTIONS));
  });

  it('is the outcome alone when little is to be said', () => {
    const text = scorecard([LOCKS[0]!, LOCKS[2]!], { ...OPTIONS, brief: true, lost: [] });
    expect(text).toBe(
      '1 lock on trial, something counts against it; all 135 expectations of the catalogue came out; 400\nruns in 8.0 s, 50 runs/s; saved in lockpick-out/trial.txt and trial.json',
    );
  });

  it('says nothing of expectations where there are none', () => {
    const own = { ...LOCKS[0]!, expected: 0, unexpected: [] };
    expect(scorecard([own], { ...OPTIONS, brief: true, lost: [] })).not.toContain('expectation');
  });

  it('says that it was interrupted, of nobody as of some', () => {
    expect(scorecard([], { ...OPTIONS, interrupted: true, lost: [] })).toContain('interrupted');
  });
});

describe('a reference lock', () => {
  it('is at fault by its own fault on either transport, and not by the settings of a row', () => {
    expect(faultyControl({ findings: [finding()] })).toBe(true);
    expect(faultyControl({ findings: [finding({ transport: 'direct only', counts: false })] })).toBe(true);
    expect(faultyControl({ findings: [finding({ bySettings: true, counts: false })] })).toBe(false);
    expect(faultyControl({ findings: [finding({ blame: 'lease', counts: false })] })).toBe(false);
  });
});
