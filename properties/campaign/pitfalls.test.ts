/**
 * Oracle mutations: each pitfall is caught by generated scenarios within a stated number of runs, whatever the seed of the
 * campaign. Caught means that a property is violated, the lock is blamed, and its sound counterpart violates nothing of
 * the kind in the very same scenario. docs/pitfalls.md repeats the table.
 */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { LOCKS } from '../../src/registry.js';
import { scenarioArbitrary, type Envelope } from '../arbitraries/scenario.js';
import type { DrawnKind } from '../arbitraries/faults.js';
import { Subject } from './generated.js';

interface Row {
  readonly pitfall: string;
  readonly sound: string;
  readonly property: PropertyId;
  readonly envelope: Envelope;
  readonly servers: readonly number[];
  readonly kinds?: readonly DrawnKind[];
  readonly permits?: number;
  readonly reenters?: boolean;
  /** Runs within which it is caught. */
  readonly within: number;
}

const ONE = { sound: 'single', servers: [1] } as const;
const MANY = { sound: 'redlock', servers: [3, 5] } as const;

const TABLE: readonly Row[] = [
  { pitfall: 'no-ttl', ...ONE, property: 'progress', envelope: 'bounded', within: 200 },
  {
    pitfall: 'setnx-then-expire',
    ...ONE,
    property: 'progress',
    envelope: 'free',
    kinds: ['crash'],
    within: 250,
  },
  { pitfall: 'constant-value', ...ONE, property: 'mutual-exclusion', envelope: 'free', within: 40 },
  { pitfall: 'del-without-check', ...ONE, property: 'mutual-exclusion', envelope: 'free', within: 40 },
  { pitfall: 'get-then-del', ...ONE, property: 'own-key-only', envelope: 'free', within: 120 },
  { pitfall: 'get-then-set', ...ONE, property: 'own-key-only', envelope: 'free', within: 10 },
  { pitfall: 'timestamp-lock', ...ONE, property: 'mutual-exclusion', envelope: 'free', within: 120 },
  {
    pitfall: 'no-validity-check',
    ...MANY,
    property: 'honest-validity',
    envelope: 'free',
    kinds: ['pause'],
    within: 150,
  },
  { pitfall: 'validity-from-reply', ...ONE, property: 'honest-validity', envelope: 'free', within: 30 },
  {
    pitfall: 'validity-from-first-attempt',
    ...MANY,
    property: 'honest-validity',
    envelope: 'free',
    within: 30,
  },
  { pitfall: 'no-drift', ...MANY, property: 'honest-validity', envelope: 'bounded', within: 30 },
  {
    pitfall: 'half-quorum',
    sound: 'redlock',
    servers: [2, 4],
    property: 'mutual-exclusion',
    envelope: 'bounded',
    within: 15,
  },
  { pitfall: 'no-release-on-failure', ...MANY, property: 'no-orphan', envelope: 'bounded', within: 10 },
  { pitfall: 'waits-for-all', ...MANY, property: 'no-orphan', envelope: 'bounded', within: 30 },
  {
    pitfall: 'wall-clock-validity',
    ...MANY,
    property: 'loss-signalled',
    envelope: 'free',
    kinds: ['step-clock'],
    within: 100,
  },
  {
    pitfall: 'separate-incr',
    sound: 'single-fenced',
    servers: [1],
    property: 'fencing-order',
    envelope: 'free',
    kinds: ['delay', 'pause'],
    within: 600,
  },
  {
    pitfall: 'watchdog-gives-up',
    ...ONE,
    property: 'loss-signalled',
    envelope: 'free',
    kinds: ['partition', 'reset', 'hold'],
    within: 1000,
  },
  {
    pitfall: 'semaphore-client-clock',
    sound: 'semaphore',
    servers: [1],
    permits: 2,
    property: 'permits',
    envelope: 'free',
    kinds: ['step-clock'],
    within: 100,
  },
  {
    pitfall: 'reentrant-count',
    ...ONE,
    reenters: true,
    property: 'honest-validity',
    envelope: 'free',
    within: 40,
  },
];

/** Seeds of the campaigns; each must catch the pitfall. */
const SEEDS = [1, 2026];

describe.each(TABLE)('pitfall/$pitfall', ({ pitfall, sound, property, within, ...row }) => {
  const lock = `pitfall/${pitfall}`;

  it.each(SEEDS)(`violates ${property} within ${within} generated scenarios, seed %i`, async (seed) => {
    const wrong = await Subject.load(lock);
    const right = await Subject.load(sound);
    const scenarios = scenarioArbitrary({ lock, ...row });
    const generated = fc.sample(scenarios, { seed, numRuns: within });
    for (const scenario of generated) {
      const found = await wrong.run(scenario);
      if (!found.violations.some((each) => each.property === property && each.blame === 'library')) continue;
      const control = await right.run({ ...scenario, lock: { ...scenario.lock, name: sound } });
      if (!control.violations.some((each) => each.property === property)) return;
    }
    expect.fail(`${lock} was not caught`);
  });
});

it('docs/pitfalls.md says the same', () => {
  const page = readFileSync(new URL('../../docs/pitfalls.md', import.meta.url), 'utf8');
  const rows = page.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  for (const { pitfall, property, envelope, within } of TABLE) {
    const row = rows.find((cells) => cells[1] === `\`${pitfall}\``);
    expect([row?.[3], row?.[4], row?.[6]], pitfall).toEqual([property, envelope, String(within)]);
  }
});

it('the table has every pitfall', () => {
  const pitfalls = LOCKS.filter(({ kind }) => kind === 'pitfall').map(({ name }) => name);
  expect(TABLE.map(({ pitfall }) => `pitfall/${pitfall}`).sort()).toEqual([...pitfalls].sort());
});
