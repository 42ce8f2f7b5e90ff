import { describe, expect, it } from 'vitest';
import { PROPERTY_IDS } from '../sim/scenario/schema.js';
import { PROPERTIES } from './index.js';
import { judge } from './judge.js';
import { history } from './testing/history.js';

const FAULT = { do: 'pause', forMs: 100 } as const;
const faulted = (...faults: object[]) =>
  history({ scenario: { faults: faults as never } })
    .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
    .held('p2/1/1', { ask: 1, votes: 3, grant: 5, until: 988 });

describe('judge', () => {
  it('knows every property, in the order of the schema', () => {
    expect(PROPERTIES.map(({ id }) => id)).toEqual(PROPERTY_IDS);
  });

  it('gives every property a verdict and never holds with nothing evaluated', () => {
    const { verdicts, coverage } = judge(history().build());
    for (const id of PROPERTY_IDS) expect(verdicts[id].verdict).toBe('unknown');
    expect(coverage.acquisitions).toBe(0);
  });

  it('does not change the history', () => {
    const built = faulted().build();
    const before = JSON.stringify(built);
    judge(built);
    expect(JSON.stringify(built)).toBe(before);
    expect(judge(built)).toEqual(judge(built));
  });

  it('knows nothing where a trigger never came, and names it', () => {
    const on = { event: 'used', process: 'p1', nth: 3 };
    const { verdicts } = judge(
      faulted({ ...FAULT, on })
        .end(10, { untriggered: [0] })
        .build(),
    );
    const reason = "event 'used' by p1, nth 3 never came (fault 'pause')";
    for (const id of PROPERTY_IDS) expect(verdicts[id]).toEqual({ verdict: 'unknown', reason });
  });

  it('excuses a trigger that struck only by chance', () => {
    const on = { event: 'used', process: 'p1', chance: 0.5 };
    const { verdicts } = judge(
      faulted({ ...FAULT, on })
        .end(10, { untriggered: [0] })
        .build(),
    );
    expect(verdicts['mutual-exclusion'].verdict).toBe('violated');
  });

  it('knows nothing after an escape from the simulation', () => {
    const escaped = faulted().trouble('p1', 9, 'escape').end(10, { reason: 'escape' });
    const { verdicts } = judge(escaped.build());
    for (const id of PROPERTY_IDS) expect(verdicts[id].verdict).toBe('unknown');
  });

  it('keeps what a run showed before it was cut off, and nothing else', () => {
    const hot = judge(
      faulted().trouble('p1', 9, 'hot-loop').end(10, { reason: 'hot-loop' }).build(),
    ).verdicts;
    expect(hot.quiet).toMatchObject({ verdict: 'violated', blame: 'library' });
    expect(hot['mutual-exclusion'].verdict).toBe('violated');
    expect(hot.settles.verdict).toBe('unknown');
    const full = judge(faulted().end(10, { reason: 'events' }).build()).verdicts;
    expect(full['mutual-exclusion'].verdict).toBe('violated');
    expect(full.quiet.verdict).toBe('unknown');
  });

  it("does not let an earlier violation hide another's fault", () => {
    // p1 works past its TTL (usage); its late DEL then takes p2's key, and p3 gets in (library).
    const masked = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4 })
      .ask('p2/1/1', 1)
      .ask('p3/1/1', 1)
      .expired(1, 1003)
      .set('p2/1/1', 1, 1003)
      .grant('p2/1/1', 1005, { until: 1990 })
      .release('p1/1/1', 1010)
      .remove('p1/1/1', 1, 1012)
      .set('p3/1/1', 1, 1020)
      .grant('p3/1/1', 1022, { until: 2000 });
    const verdict = judge(masked.build()).verdicts['mutual-exclusion'];
    expect(verdict).toMatchObject({
      verdict: 'violated',
      blame: 'usage',
      atUs: 1_005_000,
      holds: ['p1/1/1', 'p2/1/1'],
    });
    expect(verdict).toHaveProperty('also', [
      expect.objectContaining({ blame: 'library', atUs: 1_022_000, holds: ['p2/1/1', 'p3/1/1'] }),
    ]);
  });

  it('counts what the run exercised', () => {
    const run = history()
      .held('p1/1/1', { ask: 0, votes: 2, grant: 4, until: 988 })
      .struck(0, 10)
      .expired(1, 1003)
      .held('p2/1/1', { ask: 1, votes: 1004, grant: 1005, until: 1900, release: 1010, gone: 1012 })
      .release('p1/1/1', 1020)
      .struck(0, 1030)
      .held('p3/1/1', { ask: 1100, votes: 1101, grant: 1102, until: 1900, release: 1110, gone: 1112 });
    expect(judge(run.build()).coverage).toMatchObject({
      acquisitions: 3,
      contended: 2,
      faultsStruck: 2,
      faultsWhileHeld: 1,
      expiriesDuringWork: 1,
      unreplicatedFailovers: 0,
    });
  });

  it('points with evidence at events of the history, ascending', () => {
    const built = faulted().build();
    for (const verdict of Object.values(judge(built).verdicts)) {
      if (verdict.verdict !== 'violated') continue;
      expect(verdict.evidence.length).toBeGreaterThan(0);
      expect([...verdict.evidence]).toEqual([...verdict.evidence].sort((a, b) => a - b));
      for (const index of verdict.evidence) expect(built.events[index]?.i).toBe(index);
    }
  });
});
