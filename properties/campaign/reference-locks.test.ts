/**
 * Negative controls: the reference locks over scenarios that nobody wrote. Inside their assumptions nothing is violated; with
 * any delay of messages nothing that must never happen happens; outside them they are never to blame.
 */
import { test } from '@fast-check/vitest';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { scenarioArbitrary } from '../arbitraries/scenario.js';
import { Subject } from './generated.js';

const SEED = 20_161;
const RUNS = 200;

const LOCKS = [
  { lock: 'single', servers: [1], fenced: false },
  { lock: 'single-fenced', servers: [1], fenced: true },
  { lock: 'redlock', servers: [3, 5, 1, 4], fenced: false },
  { lock: 'redlock-fenced', servers: [3, 5, 1, 4], fenced: true },
  { lock: 'semaphore', servers: [1], fenced: false },
  { lock: 'semaphore', servers: [1], fenced: false, permits: 2 },
] as const;

/** What may not happen however long a message takes. Waiting and leftover keys may. */
const SAFETY: readonly PropertyId[] = [
  'mutual-exclusion',
  'exclusive-use',
  'no-stale-write',
  'fencing-order',
  'own-key-only',
  'quorum-backed',
  'honest-validity',
  'permits',
];

/** Of these a correct lock is never to blame. How long anybody waits depends on faults that last as long as they like. */
const BLAMELESS: readonly PropertyId[] = [...SAFETY, 'loss-signalled', 'quiet'];

describe.each(LOCKS)('$lock', ({ lock, servers, fenced, ...more }) => {
  let subject: Subject;
  const evaluated = new Map<PropertyId, number>();
  const shape = { lock, servers, fenced, watchdog: true, ...more } as const;

  beforeAll(async () => {
    subject = await Subject.load(lock);
  });

  test.prop([scenarioArbitrary({ ...shape, envelope: 'bounded' })], { seed: SEED, numRuns: RUNS })(
    'violates nothing inside its assumptions',
    async (scenario) => {
      const judged = await subject.run(scenario);
      for (const property of judged.evaluated) evaluated.set(property, (evaluated.get(property) ?? 0) + 1);
      expect(judged.violations).toEqual([]);
    },
  );

  test.prop([scenarioArbitrary({ ...shape, envelope: 'asynchronous' })], { seed: SEED, numRuns: RUNS })(
    'stays safe however late messages are',
    async (scenario) => {
      const { violations } = await subject.run(scenario);
      expect(violations.filter(({ property }) => SAFETY.includes(property))).toEqual([]);
    },
  );

  test.prop([scenarioArbitrary({ ...shape, envelope: 'free' })], { seed: SEED, numRuns: RUNS })(
    'is never to blame, whatever goes wrong',
    async (scenario) => {
      const { violations } = await subject.run(scenario);
      const ours = violations.filter(
        ({ blame, property }) => blame === 'library' && BLAMELESS.includes(property),
      );
      expect(ours).toEqual([]);
    },
  );

  // A campaign in which nothing was judged would be green as well.
  afterAll(() => {
    // Of a semaphore in one key, little but its permits can be asked.
    const wanted: readonly PropertyId[] =
      'permits' in more
        ? ['permits']
        : [
            ...SAFETY.filter(
              (property) => property !== 'permits' && (fenced || property !== 'fencing-order'),
            ),
            'no-orphan',
          ];
    for (const property of [...wanted, 'progress', 'settles', 'quiet'] as const)
      expect(evaluated.get(property) ?? 0, property).toBeGreaterThan(RUNS / 5);
  });
});

// The library from npm waits for every server and gives no signal: it may wait for ever, and a holder that relies on being
// told works on. It holds nothing that another holds.
describe('redlock@4.2.0', () => {
  const lock = 'redlock@4.2.0';
  let subject: Subject;

  beforeAll(async () => {
    subject = await Subject.load(lock);
  });

  test.prop([scenarioArbitrary({ lock, servers: [3, 5, 1], envelope: 'bounded' })], {
    seed: SEED,
    numRuns: RUNS,
  })('is safe inside its assumptions', async (scenario) => {
    const { violations } = await subject.run(scenario);
    const unsafe = violations.filter(({ property, blame }) => SAFETY.includes(property) && blame !== 'usage');
    expect(unsafe).toEqual([]);
  });
});
