/**
 * Negative controls beside failovers: whatever an operator, Sentinels or a cluster do to the servers, a reference lock may lose what
 * they forget, but is never to blame for it. And the failovers do strike: keys are lost, and masters are deposed that go on.
 */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { failoverArbitrary, type Failover } from '../arbitraries/failover.js';
import { Subject, type Violation } from './generated.js';

/** Two campaigns, chosen so that in one of them, at least, each cell loses what it can lose. */
const SEEDS = [3, 4];
const RUNS = 60;

/** Of these a correct lock is never to blame. Waiting, and keys that a lost clean-up leaves, last as long as faults like. */
const BLAMELESS: readonly PropertyId[] = [
  'mutual-exclusion',
  'exclusive-use',
  'no-stale-write',
  'fencing-order',
  'own-key-only',
  'quorum-backed',
  'honest-validity',
  'loss-signalled',
  'quiet',
  'permits',
];

interface Row {
  readonly lock: string;
  readonly servers: readonly number[];
  readonly failovers: readonly Failover[];
  readonly fenced?: boolean;
  readonly permits?: number;
  /** What the servers' forgetting breaks. */
  readonly broken: PropertyId;
}

const ROWS: readonly Row[] = [
  {
    lock: 'single',
    servers: [1],
    failovers: ['operator', 'sentinels', 'cluster'],
    broken: 'mutual-exclusion',
  },
  {
    lock: 'single-fenced',
    servers: [1],
    failovers: ['operator', 'sentinels'],
    fenced: true,
    broken: 'fencing-order',
  },
  { lock: 'redlock', servers: [3], failovers: ['operator', 'sentinels'], broken: 'honest-validity' },
  {
    lock: 'redlock-fenced',
    servers: [3],
    failovers: ['operator', 'sentinels'],
    fenced: true,
    broken: 'honest-validity',
  },
  {
    lock: 'semaphore',
    servers: [1],
    failovers: ['operator', 'sentinels', 'cluster'],
    permits: 2,
    broken: 'permits',
  },
];

const CELLS = ROWS.flatMap(({ failovers, ...row }) => failovers.map((failover) => ({ ...row, failover })));

describe.each(CELLS)('$lock, $failover', ({ failover, broken, ...row }) => {
  let violations: Violation[];

  beforeAll(async () => {
    const subject = await Subject.load(row.lock);
    violations = [];
    const shape = { ...row, watchdog: true };
    const generated = failoverArbitrary(shape, failover);
    for (const scenario of SEEDS.flatMap((seed) => fc.sample(generated, { seed, numRuns: RUNS }))) {
      const found = await subject.run(scenario);
      for (const each of found.violations)
        violations.push({ ...each, reason: `${each.reason}\n${JSON.stringify(scenario)}` });
    }
  }, 120_000);

  it('is never to blame', () => {
    const ours = violations.filter(
      ({ blame, property }) => blame === 'library' && BLAMELESS.includes(property),
    );
    expect(ours).toEqual([]);
  });

  // Failovers that lose nothing would prove nothing; a cluster of three seldom loses the one shard that counts.
  it.runIf(failover !== 'cluster')('loses what the servers forget', () => {
    const theirs = violations.filter(({ blame }) => blame === 'infrastructure');
    expect(theirs.map(({ property }) => property)).toContain(broken);
  });
});
