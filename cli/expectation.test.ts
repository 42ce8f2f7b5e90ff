import { describe, expect, it } from 'vitest';
import { PROPERTY_IDS, type PropertyId } from '../sim/scenario/schema.js';
import type { History, HistoryEvent } from '../sim/history/events.js';
import { parseScenario } from '../sim/scenario/parse.js';
import type { Blame, Verdict, Verdicts, Violation } from '../properties/verdict.js';
import { compareWithExpectation } from './expectation.js';

const violation = (blame: Blame, atUs: number): Violation => ({
  blame,
  reason: `for the ${blame}`,
  atUs,
  evidence: [],
  holds: [],
});

/** A lease violation first, a library one after it. */
const HIDDEN: Verdict = {
  verdict: 'violated',
  ...violation('lease', 1000),
  evaluated: 2,
  also: [violation('library', 2000)],
};

function verdictsWith(changed: Partial<Record<PropertyId, Verdict>>): Verdicts {
  const holds: Verdict = { verdict: 'holds', evaluated: 1 };
  const all = Object.fromEntries(PROPERTY_IDS.map((id) => [id, holds])) as Record<PropertyId, Verdict>;
  return { ...all, ...changed };
}

const GRANTED: HistoryEvent = {
  i: 0,
  tUs: 0,
  host: 'p1',
  task: '1',
  step: 1,
  hold: 'p1/1/1',
  kind: 'acquire',
  phase: 'ok',
  claim: null,
  fence: null,
  signals: false,
  renews: false,
  votes: [],
};

function historyOf(reason: 'done' | 'escape', events: readonly HistoryEvent[] = [GRANTED]): History {
  const end: HistoryEvent = { i: events.length, tUs: 9, host: 'world', kind: 'end', reason, untriggered: [] };
  return {
    header: {
      format: 'lockpick/history@1',
      scenario: parseScenario({ id: 'of-my-own', lock: { name: 'single' } }),
      lock: { name: 'single', claims: null, bundle: null },
      versions: { lockpick: '0' },
    },
    events: [...events, end],
  };
}

describe('--fail-on', () => {
  it('a violation of one blame does not hide a later one of another', () => {
    const verdicts = verdictsWith({ 'mutual-exclusion': HIDDEN });
    expect(compareWithExpectation(historyOf('done'), verdicts, ['library'])).toMatchObject({
      exitCode: 1,
      mismatches: [{ property: 'mutual-exclusion', expected: 'not violated', found: 'violated/library' }],
    });
    expect(compareWithExpectation(historyOf('done'), verdicts, ['usage'])).toMatchObject({
      exitCode: 0,
      mismatches: [],
    });
  });

  it('does not see through an escape, whatever is expected', () => {
    const escape: HistoryEvent = {
      i: 0,
      tUs: 0,
      host: 'p1',
      kind: 'trouble',
      what: 'escape',
      error: { name: 'EscapeError', message: 'out' },
    };
    expect(compareWithExpectation(historyOf('escape', [escape]), verdictsWith({}), [])).toMatchObject({
      asExpected: false,
      exitCode: 3,
      unknownBecause: 'p1: out',
    });
  });

  it('lays nothing on a lock that the simulated servers failed', () => {
    const apply: HistoryEvent = {
      i: 1,
      tUs: 5,
      host: 'redis-1',
      kind: 'apply',
      command: 1,
      by: 'p1',
      task: '1',
      hold: 'p1/1/1',
      op: 'release',
      args: ['XADD', 'a'],
      reply: "-ERR unknown command 'XADD', with args beginning with: 'a' ",
    };
    const lacking = historyOf('done', [GRANTED, apply]);
    const violated = verdictsWith({
      'no-orphan': { verdict: 'violated', ...violation('library', 9), evaluated: 1 },
    });
    expect(compareWithExpectation(lacking, violated, ['library'])).toMatchObject({
      exitCode: 3,
      mismatches: [],
      unknownBecause: 'the program uses what the simulated servers lack: XADD',
    });
    expect(compareWithExpectation(lacking, verdictsWith({}), ['library'])).toMatchObject({ exitCode: 0 });
  });
});
