/**
 * What judging costs: `npx vitest bench --config .config/vitest.config.ts properties/judge.bench.ts`. Aims on the
 * machine of the bench: 10 µs for a history of the load 1x2, 60 µs for one of 5x3.
 */
import { bench, describe } from 'vitest';
import type { History } from '../sim/history/events.js';
import { judge } from './judge.js';
import { history } from './testing/history.js';

/** Holds one after the other, each with votes, replies, two uses and a release on all servers. */
function rounds(servers: number, processes: number): History {
  const builder = history({ servers });
  const all = Array.from({ length: servers }, (_, index) => index + 1);
  for (let process = 1; process <= processes; process++) {
    const id = `p${process}/1/1`;
    const from = process * 100;
    builder.ask(id, process);
    for (const number of all) {
      builder.set(id, number, from + 2).reply(id, number, from + 4);
      builder.remove(id, number, from + 42).reply(id, number, from + 44, { op: 'release' });
    }
    builder.grant(id, from + 5, { until: from + 980, signals: true });
    builder.use(id, from + 10, from + 12, 'read').use(id, from + 20, from + 22, 'write');
    builder.release(id, from + 40).released(id, from + 45);
  }
  return builder.build();
}

describe('judge', () => {
  const small = rounds(1, 2);
  const large = rounds(5, 3);
  bench(`1x2, ${small.events.length} events`, () => void judge(small));
  bench(`5x3, ${large.events.length} events`, () => void judge(large));
});
