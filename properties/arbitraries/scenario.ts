/**
 * Whole scenarios as plain data: topology, clocks, workload, faults, seed. They shrink towards two processes, one
 * server, no faults and round numbers; the seed of a scenario never shrinks, since it stands for all that is random.
 */
import type * as fc from 'fast-check';
import { DISCIPLINES, type ScenarioInput } from '../../sim/scenario/schema.js';
import { boundedFaults, boundedSetting } from './envelope.js';
import { DRAWN_KINDS, makeFault, type DrawnKind, type World } from './faults.js';
import { latencyMs, lossOf, scenarioNumbers, workloadOf, type ScenarioNumbers } from './numbers.js';

/**
 * How much may go wrong.
 * - `bounded`: what the lock assumes: no property is violated there, by anyone
 * - `asynchronous`: clocks and machines as in `bounded`, messages to servers as late and lost as they like: nothing that must
 *   never happen happens, though somebody may wait or leave keys behind
 * - `free`: anything: what is violated must be blamed rightly
 */
export type Envelope = 'bounded' | 'asynchronous' | 'free';

export interface ScenarioShape {
  readonly lock: string;
  /** Server counts to draw from, the simplest first. */
  readonly servers: readonly number[];
  readonly envelope: Envelope;
  /** The lock hands out tokens: the storage compares them, and servers keep their counters through a crash. */
  readonly fenced?: boolean;
  /** The lock can renew by itself. */
  readonly watchdog?: boolean;
  /** How many may hold the lock at once: a semaphore's. */
  readonly permits?: number;
  /** Each holder asks once more for what it holds. */
  readonly reenters?: boolean;
  /** Kinds of faults to draw from; all by default. */
  readonly kinds?: readonly DrawnKind[];
}

/** Scenarios of a shape, ready for `parseScenario`. */
export function scenarioArbitrary(shape: ScenarioShape): fc.Arbitrary<ScenarioInput> {
  return scenarioNumbers().map((numbers) => makeScenario(numbers, shape));
}

const TTLS_MS = [1000, 500, 2000, 300];
/** Shares of the ttl allowed for drift. */
const ALLOWANCES = [0.1, 0.01, 0.05, 0.2];
const RETRIES = [
  { retryDelayMs: 100, retryJitterMs: 80 },
  { retryDelayMs: 60, retryJitterMs: 40 },
  { retryDelayMs: 200, retryJitterMs: 100 },
  { retryDelayMs: 30, retryJitterMs: 30 },
];

/** The scenario that the numbers stand for. Deterministic. */
export function makeScenario(numbers: ScenarioNumbers, shape: ScenarioShape): ScenarioInput {
  const free = shape.envelope === 'free';
  const servers = shape.servers[numbers.servers % shape.servers.length]!;
  const ttlMs = TTLS_MS[numbers.ttl]!;
  const driftFactor = ALLOWANCES[numbers.allowance]!;
  const replicas = free ? numbers.replicas : 0;
  const world: World = { processes: numbers.processes, servers, replicas, ttlMs };
  const base = {
    id: 'generated',
    seed: numbers.seed,
    lock: {
      name: shape.lock,
      ttlMs,
      permits: shape.permits ?? 1,
      options: {
        retryCount: 30,
        ...RETRIES[numbers.retry]!,
        driftFactor,
        ...(shape.watchdog === true && numbers.renewal === 2 ? { watchdog: true } : {}),
      },
    },
    servers: {
      count: servers,
      replicas,
      persistence: shape.fenced === true || numbers.persistent ? 'aof-always' : 'none',
    },
    processes: {
      count: numbers.processes,
      tasks: numbers.tasks,
      sharedClient: numbers.tasks > 1 && numbers.shared === 3,
    },
    resource: { fenced: shape.fenced === true },
    limits: { virtualMs: 30_000, events: 60_000 },
  } as const satisfies ScenarioInput;
  if (!free) {
    const asynchronous = shape.envelope === 'asynchronous';
    const setting = boundedSetting(numbers, base, asynchronous);
    return { ...base, ...setting, faults: boundedFaults(numbers, base, asynchronous) };
  }
  const kinds = swarm(numbers.swarm, shape.kinds ?? DRAWN_KINDS);
  const workload = workloadOf(numbers, ttlMs, ttlMs * 1.3, DISCIPLINES[numbers.discipline]!);
  return {
    ...base,
    network: { latencyMs: latencyMs(numbers), loss: lossOf(numbers), giveUpMs: 10_000 },
    workload: shape.reenters === true ? { ...workload, order: ['a', 'a'], nested: true } : workload,
    faults: numbers.faults.map((fault) => makeFault(fault, kinds, world)),
  };
}

function swarm(bits: number, kinds: readonly DrawnKind[]): readonly DrawnKind[] {
  const chosen = kinds.filter((_, index) => ((bits >> index) & 1) === 1);
  return chosen.length === 0 ? kinds : chosen;
}
