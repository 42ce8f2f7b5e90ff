/** What a second job is worth: the same runs of a hunt by one and by two threads, in turn. */
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { loadLock } from '../../sim/load.js';
import { resolveLock } from '../../src/resolve.js';
import { search } from '../hunt/search.js';
import { Pool } from '../pool/pool.js';
import { median } from './statistics.js';

export interface JobsFigures {
  readonly lock: string;
  readonly runsPerSecond: number;
  /** Of two jobs to one: the median of the pairs. */
  readonly ratio: number;
}

/** Runs of one side of a pair: long enough that starting and ending together weigh little. */
const RUNS = 2000;

export async function measureJobs(lockName: string, pairs: number): Promise<JobsFigures> {
  const lock = await loadLock(resolveLock(lockName));
  const spec: HuntSpec = {
    lock: lockName,
    seed: 1,
    assume: 'bounded',
    kinds: null,
    properties: null,
    sets: [],
    reuse: true,
  };
  const one = new Pool({ jobs: 1, locks: [lock] });
  const two = new Pool({ jobs: 2, locks: [lock] });
  const speedOf = async (pool: Pool, from: number): Promise<number> => {
    const startMs = performance.now();
    await search(spec, pool, { from, to: from + RUNS, stop: () => false });
    return (RUNS * 1000) / (performance.now() - startMs);
  };
  const speeds: number[] = [];
  const ratios: number[] = [];
  try {
    // The first pair only warms up.
    for (let pair = 0; pair <= pairs; pair++) {
      const from = pair * RUNS;
      // Whichever comes second finds a warmer machine: they take turns.
      const early = pair % 2 === 0 ? await speedOf(two, from) : 0;
      const single = await speedOf(one, from);
      const double = pair % 2 === 0 ? early : await speedOf(two, from);
      if (pair === 0) continue;
      speeds.push(double);
      ratios.push(double / single);
    }
  } finally {
    await two.close();
  }
  return { lock: lockName, runsPerSecond: median(speeds), ratio: median(ratios) };
}
