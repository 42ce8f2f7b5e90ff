/**
 * How many servers must lose a hold's key before a rival can win: f ≥ m + q − N, for every number q of servers that hold
 * it. Loss is a clock that jumps past the ttl; where fewer lose it, the hold stands whatever the rival does.
 */
import { describe, expect, it } from 'vitest';
import { eagerRival } from '../sim/catalogue/rival.js';
import { LINK_MS } from '../sim/catalogue/timing.js';
import { loadLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import type { ScenarioInput } from '../sim/scenario/schema.js';
import { resolveLock } from '../src/resolve.js';
import { judge } from './judge.js';

type Fault = NonNullable<ScenarioInput['faults']>[number];

/** p1 reaches servers 1 to q only; after its grant the clocks of 1 to f jump. */
function scenario(lock: string, n: number, q: number, f: number): ScenarioInput {
  const faults: Fault[] = [];
  for (let server = q + 1; server <= n; server++)
    faults.push({ atMs: 0, do: 'partition', from: 'p1', to: `redis-${server}` });
  for (let server = 1; server <= f; server++) {
    const on = { event: 'granted', process: 'p1', afterMs: 100 } as const;
    faults.push({ on, do: 'step-clock', host: `redis-${server}`, byMs: 2000 });
  }
  return {
    id: `N=${n} q=${q} f=${f}`,
    lock: { name: lock, ttlMs: 1000 },
    servers: { count: n },
    processes: { client: { commandTimeoutMs: 30 } },
    network: { latencyMs: LINK_MS, giveUpMs: 3000 },
    workload: { startMs: 1, workMs: 700 },
    overrides: { p2: eagerRival(200, { workMs: 10 }) },
    faults,
    bounds: { orphanMs: 100 },
  };
}

async function broken(lock: string, n: number, q: number, f: number): Promise<boolean> {
  const history = await simulate(parseScenario(scenario(lock, n, q, f)), await loadLock(resolveLock(lock)));
  const verdict = judge(history).verdicts['mutual-exclusion'];
  expect(verdict.verdict).not.toBe('unknown');
  if (verdict.verdict === 'violated') expect(verdict.blame).toBe('infrastructure');
  return verdict.verdict === 'violated';
}

describe.each(['redlock', 'redlock-fenced', 'redlock@4.2.0'])('%s', (lock) => {
  const cases = [3, 4, 5].flatMap((n) => {
    const m = Math.floor(n / 2) + 1;
    return Array.from({ length: n - m + 1 }, (_, index) => ({ n, m, q: m + index }));
  });

  it.each(cases)(
    'of $n servers with $q votes loses the lock with f ≥ m + q − N of them',
    async ({ n, m, q }) => {
      const threshold = m + q - n;
      expect(await broken(lock, n, q, threshold)).toBe(true);
      expect(await broken(lock, n, q, threshold - 1)).toBe(false);
    },
  );
});
