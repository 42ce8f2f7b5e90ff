/** S1 by hand: the holder freezes between its read and its write, another gets the lock, the write arrives late. */
import { judge } from '../../properties/judge.js';
import { history } from '../../properties/testing/history.js';
import type { Verdicts } from '../../properties/verdict.js';
import type { History } from '../../sim/history/events.js';

export interface Judged {
  readonly history: History;
  readonly verdicts: Verdicts;
}

export function pausedHolder(): Judged {
  const written = history({ scenario: { id: 'S1', processes: { count: 2 } } })
    .ask('p1/1/1', 0)
    .set('p1/1/1', 1, 4, { key: 'a' })
    .grant('p1/1/1', 9, { until: 988, signals: true })
    .use('p1/1/1', 9, 13, 'read')
    .struck(0, 14)
    .pause('p1', 14, 1514, true)
    .ask('p2/1/1', 800)
    .expired(1, 1005, 'a')
    .set('p2/1/1', 1, 1006, { key: 'a' })
    .grant('p2/1/1', 1010, { until: 1990, signals: true })
    .use('p2/1/1', 1010, 1013, 'read')
    .use('p2/1/1', 1200, 1204, 'write')
    .lost('p1/1/1', 1514)
    .use('p1/1/1', 1514, 1518, 'write')
    .release('p2/1/1', 1300)
    .remove('p2/1/1', 1, 1302, { key: 'a' })
    .released('p2/1/1', 1304)
    .tail(1514)
    .end(1600)
    .build();
  return { history: written, verdicts: judge(written).verdicts };
}

/** One holder after the other, nothing amiss. */
export function quietTurns(): Judged {
  const written = history({ servers: 5, scenario: { id: 'C5', processes: { count: 2 } } })
    .held('p1/1/1', { ask: 0, votes: 4, grant: 8, until: 980, release: 60, gone: 64 })
    .use('p1/1/1', 10, 14, 'read')
    .use('p1/1/1', 50, 54, 'write')
    .held('p2/1/1', { ask: 5, votes: 70, grant: 76, until: 1050, release: 120, gone: 124 })
    .use('p2/1/1', 80, 84, 'read')
    .use('p2/1/1', 110, 114, 'write')
    .build();
  return { history: written, verdicts: judge(written).verdicts };
}
