import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { judge } from '../../properties/judge.js';
import { mainViolation } from '../../properties/search/main-property.js';
import { history } from '../../properties/testing/history.js';
import { pausedHolder, quietTurns, type Judged } from '../testing/paused-holder.js';
import { terminalReport, type ReportOptions } from './report.js';

const OPTIONS: Omit<ReportOptions, 'about'> = {
  width: 100,
  paint: (_style, text) => text,
  replay: 'npx lockpick replay lockpick-out/S1-single-seed1.counterexample.json',
  title: 'A pause between the read and the write',
  outcome: { asExpected: true, rule: 'catalogue', mismatches: [], untriggered: [], unknownBecause: null },
  files: { history: 'lockpick-out/S1-single-seed1.history.jsonl' },
  changes: [
    { what: 'without the pause of p1', flags: '', cures: ['exclusive-use', 'no-stale-write'], leaves: [] },
    {
      what: 'tokens',
      flags: '--set resource.fenced=true',
      cures: ['no-stale-write'],
      leaves: ['exclusive-use'],
    },
  ],
};

const report = ({ history, verdicts }: Judged, options: Partial<ReportOptions> = {}): string =>
  terminalReport(history, verdicts, { ...OPTIONS, about: mainViolation(verdicts) ?? null, ...options });

function renewedAfterRelease(): Judged {
  const written = history({ scenario: { bounds: { orphanMs: 50 } } })
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, release: 100, gone: 105 })
    .set('p1/1/1', 1, 106)
    .end(2000)
    .build();
  return { history: written, verdicts: judge(written).verdicts };
}

describe('the report at 100 columns', () => {
  it('of a violation', async () => {
    await expect(report(pausedHolder())).toMatchFileSnapshot('./snapshots/violated.txt');
  });

  it('of a run in which all is well', async () => {
    await expect(report(quietTurns(), { changes: [] })).toMatchFileSnapshot('./snapshots/holds.txt');
  });

  it('keeps within 100 columns and 45 lines, on wider terminals too', () => {
    for (const judged of [pausedHolder(), quietTurns()])
      for (const width of [100, 180]) {
        const lines = report(judged, { width }).split('\n');
        expect(lines.length).toBeLessThanOrEqual(45);
        for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(100);
      }
  });

  it('says with colour nothing that it does not say without', () => {
    const painted = report(pausedHolder(), { paint: (style, text) => styleText(style, text) });
    expect(painted).toContain('\u001b[');
    // eslint-disable-next-line no-control-regex -- what styleText adds
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(report(pausedHolder()));
  });

  it('never breaks the command to paste', () => {
    const replay = `npx lockpick run S1 --set ${'x'.repeat(150)}`;
    expect(report(pausedHolder(), { replay }).split('\n')).toContain(`Replay   ${replay}`);
  });

  it('shows verdicts as they are given, whatever the history says', () => {
    const { history, verdicts } = pausedHolder();
    const other = { ...verdicts, 'no-stale-write': { verdict: 'holds', evaluated: 1 } } as const;
    expect(report({ history, verdicts: other })).toMatch(/✓ holds .*no-stale-write/);
  });

  it('mentions a later violation of another blame in a line, and gives its reason where it fails the run', () => {
    const { history, verdicts } = pausedHolder();
    const first = verdicts['no-stale-write'];
    if (first.verdict !== 'violated') throw new Error('it is violated');
    const later = { ...first, blame: 'library', reason: 'a later one', atUs: 1_550_000 } as const;
    const both = { ...verdicts, 'no-stale-write': { ...first, also: [later] } };
    expect(report({ history, verdicts: both }).split('\n')).toContain(
      `${' '.repeat(20)}also, blame library, at 1550 ms: a later one`,
    );
    const mismatches = [
      { property: 'no-stale-write', expected: 'not violated', found: 'violated/library' },
    ] as const;
    const outcome = { ...OPTIONS.outcome, asExpected: false, mismatches };
    const brief = report({ history, verdicts: both }, { brief: true, outcome });
    expect(brief.replace(/\s+/g, ' ')).toContain('found violated/library (a later one)');
  });

  it('says what to change in the lock that led to what its holders suffered', () => {
    const written = history({ scenario: { processes: { count: 3 } } })
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 900 })
      .held('p2/1/1', { ask: 20, votes: 1003, grant: 1005, until: 1900 })
      .remove('p1/1/1', 1, 1010)
      .held('p3/1/1', { ask: 30, votes: 1020, grant: 1022, until: 1900 })
      .end(2500)
      .build();
    const { verdicts } = judge(written);
    expect(mainViolation(verdicts)).toMatchObject(['mutual-exclusion', { blame: 'library' }]);
    const deleted = { history: written, verdicts };
    expect(report(deleted, { changes: [] })).toContain('comparing the value and deleting');
    const unknown = { verdict: 'unknown', reason: 'nobody looked' } as const;
    const alone = { history: written, verdicts: { ...verdicts, 'own-key-only': unknown } };
    expect(report(alone, { changes: [] })).toContain('it is the lock');
  });

  it('tells a key that was set after the release from one whose clean-up is missing', () => {
    expect(report(renewedAfterRelease(), { changes: [] })).toContain('A renewal that creates no key');
  });

  it('shows the figures that the catalogue has expectations of', () => {
    const observed = { p1: { granted: 1, error: null }, p2: { error: 'NotAcquired' } };
    const outcome = { ...OPTIONS.outcome, observed };
    expect(report(quietTurns(), { brief: true, outcome })).toBe(
      'Outcome  as the catalogue expects of this lock; p1: granted 1, error none; p2: error NotAcquired',
    );
  });

  it('in brief is the outcome alone, with reasons where it is not as expected', () => {
    const outcome = {
      ...OPTIONS.outcome,
      asExpected: false,
      mismatches: [{ property: 'no-stale-write', expected: 'holds', found: 'violated/lease' }] as const,
    };
    const text = report(pausedHolder(), { brief: true, outcome });
    expect(text).toMatch(
      /^Outcome {2}NOT AS EXPECTED: no-stale-write: expected holds, found violated\/lease \(/,
    );
    expect(text.split('\n').length).toBeLessThan(6);
  });
});
