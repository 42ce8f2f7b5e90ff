import type { Scenario } from '../../scenario/schema.js';
import { driftAllowanceMs, LINK_MS, oneWayMs } from '../timing.js';
import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { broken } from './verdicts.js';

const PPM = 1_000_000;

/**
 * (s − t0) + T/r_s = T − d, solved for r_s.
 * @param trips link times until the SET is applied: 1, or 3 where the script is loaded first
 */
function serverRateFlipsAt(scenario: Scenario, trips = 1): number {
  const { ttlMs } = scenario.lock;
  const left = ttlMs - driftAllowanceMs(scenario) - trips * oneWayMs(scenario, 'p1', 'redis-1');
  return (ttlMs / left - 1) * PPM;
}

/** (s − t0) + T = (T − d)/r_c, solved for r_c. */
function clientRateFlipsAt(scenario: Scenario): number {
  const { ttlMs } = scenario.lock;
  const rate = (ttlMs - driftAllowanceMs(scenario)) / (ttlMs + oneWayMs(scenario, 'p1', 'redis-1'));
  return (rate - 1) * PPM;
}

/**
 * Three clocks gain five per cent: their keys end at 4.5 + 1000/1.05 ≈ 957, p1 claims until 988 and releases at 983. It
 * could have known nothing; within `driftBoundPpm` (one per cent) the drift allowance covers it: infrastructure. The end
 * it claims at its return lies after the lapse of its quorum: honest-validity. At the return itself all keys stand.
 */
const SHORTENED = {
  ...broken('infrastructure'),
  'honest-validity': 'violated/infrastructure',
  'quorum-backed': 'holds',
  'own-key-only': 'holds',
} as const;

export const R7: CatalogueEntry = {
  scenario: {
    id: 'R7',
    seed: 1,
    lock: { name: 'redlock', ttlMs: 1000 },
    servers: { count: 5 },
    network: { latencyMs: LINK_MS },
    clocks: {
      'redis-1': { driftPpm: 50_000 },
      'redis-2': { driftPpm: 50_000 },
      'redis-3': { driftPpm: 50_000 },
    },
    workload: { workMs: 956 },
    overrides: { p2: eagerRival(900, { workMs: 10 }) },
    bounds: { orphanMs: 100 },
    expect: {
      redlock: SHORTENED,
      'redlock-fenced': { ...SHORTENED, 'fencing-order': 'holds' },
      'redlock@4.2.0': SHORTENED,
    },
  },
  title: 'A majority of clocks runs fast',
  question: 'How much faster than the client may the clocks of the servers run?',
  takeaway:
    'The drift allowance buys a difference of rates of about d/T. Beyond it keys end while their holder still believes, however honest its arithmetic.',
  source: 'Redis documentation, "Distributed locks with Redis"',
  boundaries: [
    {
      lock: 'redlock',
      property: 'honest-validity',
      path: 'clocks.redis-1.driftPpm',
      // The rival has no way to go and so less margin: it is not to be granted anything here.
      set: { 'overrides.p2.lock.options.retryCount': 0 },
      closedForm: '(s_i − t0) + T/r_s < T − d, of the third of the servers that run fast',
      flipsAt: (scenario) => serverRateFlipsAt(scenario),
      // About one millisecond over the ttl.
      step: 1000,
      verdict: 'violated/infrastructure',
    },
    {
      lock: 'redlock@4.2.0',
      property: 'honest-validity',
      path: 'clocks.redis-1.driftPpm',
      set: { 'overrides.p2.lock.options.retryCount': 0 },
      closedForm: '(s_i − t0) + T/r_s < T − d, of the third of the servers that run fast',
      flipsAt: (scenario) => serverRateFlipsAt(scenario, 3),
      step: 1000,
      verdict: 'violated/infrastructure',
    },
    {
      lock: 'redlock',
      property: 'mutual-exclusion',
      path: 'clocks.redis-1.driftPpm',
      set: { 'workload.workMs': 1000 },
      closedForm: '(s_i − t0) + T/r_s < T − d, of the third of the servers that run fast',
      flipsAt: (scenario) => serverRateFlipsAt(scenario),
      // And another for the rival, who asks on whole milliseconds.
      step: 2000,
      verdict: 'violated/infrastructure',
    },
    {
      lock: 'redlock',
      property: 'honest-validity',
      path: 'clocks.p1.driftPpm',
      set: {
        'clocks.p1.offsetMs': 0,
        'clocks.redis-1.driftPpm': 0,
        'clocks.redis-2.driftPpm': 0,
        'clocks.redis-3.driftPpm': 0,
      },
      closedForm: '(s_i − t0) + T < (T − d)/r_c',
      flipsAt: clientRateFlipsAt,
      step: 1000,
      violated: 'below',
      verdict: 'violated/infrastructure',
    },
  ],
};
