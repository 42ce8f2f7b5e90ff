/**
 * Whole scenarios as plain data: topology, clocks, workload, faults, seed. They shrink towards two processes, one
 * server, no faults and round numbers; the seed of a scenario never shrinks, since it stands for all that is random.
 */
import type * as fc from 'fast-check';
import { EVICTION_POLICIES } from '../../sim/redis/keyspace.js';
import { DISCIPLINES, type ScenarioInput } from '../../sim/scenario/schema.js';
import { boundedFaults, boundedSetting } from './envelope.js';
import { DRAWN_KINDS, makeFault, MAX_MEMORY, type DrawnKind, type World } from './faults.js';
import {
  lossOf,
  nestingOf,
  promptLatencyMs,
  scenarioNumbers,
  workloadOf,
  type ScenarioNumbers,
} from './numbers.js';

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
  /** The lock can renew by itself, and does so if the option `watchdog` is true, or unless it is false (`by-default`). */
  readonly watchdog?: boolean | 'by-default';
  /** How many may hold the lock at once: a semaphore's. A list to draw from, the simplest first. */
  readonly permits?: number | readonly number[];
  /** Each holder asks once more for what it holds; `sometimes`: now and then, or for several resources at once. */
  readonly reenters?: boolean | 'sometimes';
  /** The lock does not mind the option `driftFactor`: clocks differ by no more than is usually allowed for. */
  readonly fixedAllowance?: boolean;
  /** Kinds of faults to draw from; all by default. */
  readonly kinds?: readonly DrawnKind[];
  /** Segments get lost, which a connection makes good; true by default in the free envelope. */
  readonly lossy?: boolean;
}

/** Scenarios of a shape, ready for `parseScenario`. */
export function scenarioArbitrary(shape: ScenarioShape): fc.Arbitrary<ScenarioInput> {
  return scenarioNumbers().map((numbers) => makeScenario(numbers, shape));
}

const TTLS_MS = [1000, 500, 2000, 300];
/** Shares of the ttl allowed for drift. */
const ALLOWANCES = [0.1, 0.01, 0.05, 0.2];
/** What Redlock's description allows, and locks that are not told otherwise. */
const DEFAULT_ALLOWANCE = 0.01;
const RETRIES = [
  { retryDelayMs: 100, retryJitterMs: 80 },
  { retryDelayMs: 60, retryJitterMs: 40 },
  { retryDelayMs: 200, retryJitterMs: 100 },
  { retryDelayMs: 30, retryJitterMs: 30 },
];

/** Virtual time of a run; whoever asks does so for most of it. */
const VIRTUAL_MS = 30_000;

/**
 * Nobody waits for longer than this for want of luck, or for faults that end. What lasts longer lasts for ever; how long is too long
 * within the assumptions the bounded envelope says.
 */
function patience(ttlMs: number): NonNullable<ScenarioInput['bounds']> {
  const longMs = 4 * ttlMs + 8000;
  return { progressMs: longMs, orphanMs: longMs };
}

/** The scenario that the numbers stand for. Deterministic. */
export function makeScenario(numbers: ScenarioNumbers, shape: ScenarioShape): ScenarioInput {
  const free = shape.envelope === 'free';
  const base = baseOf(numbers, shape);
  const { lock, processes, servers } = base;
  const { ttlMs } = lock;
  if (!free) {
    const asynchronous = shape.envelope === 'asynchronous';
    const setting = boundedSetting(numbers, base, asynchronous);
    return { ...base, ...setting, faults: boundedFaults(numbers, base, asynchronous) };
  }
  const world: World = {
    processes: processes.count,
    servers: servers.count,
    replicas: servers.replicas,
    ttlMs,
  };
  const kinds = swarm(numbers.swarm, shape.kinds ?? DRAWN_KINDS);
  const faults = kinds.length === 0 ? [] : numbers.faults.map((fault) => makeFault(fault, kinds, world));
  // Who renews works for longer than a lease lasts, and the renewals are what is tried.
  const mostWorkMs = ttlMs * (numbers.renewal === 0 ? 1.3 : 2.6);
  const workload = workloadOf(numbers, ttlMs, mostWorkMs, DISCIPLINES[numbers.discipline]!);
  return {
    ...base,
    servers: { ...servers, ...memoryOf(numbers, faults) },
    network: {
      latencyMs: promptLatencyMs(numbers),
      loss: shape.lossy === false ? 0 : lossOf(numbers),
      // Whoever waits at a connection that is cut has time to find another.
      giveUpMs: 3000,
    },
    workload: { ...workload, ...nested(numbers, shape) },
    bounds: patience(ttlMs),
    faults,
  };
}

/** Servers that somebody fills have a limit, and one of the policies. */
function memoryOf(
  { storageLatency }: ScenarioNumbers,
  faults: NonNullable<ScenarioInput['faults']>,
): ScenarioInput['servers'] {
  if (!faults.some((fault) => fault.do === 'fill')) return {};
  const maxMemoryPolicy = EVICTION_POLICIES[storageLatency % EVICTION_POLICIES.length]!;
  return { maxMemory: MAX_MEMORY, maxMemoryPolicy };
}

function nested(numbers: ScenarioNumbers, { reenters = false }: ScenarioShape): ScenarioInput['workload'] {
  if (reenters === 'sometimes') return nestingOf(numbers);
  return reenters ? { order: ['a', 'a'], nested: true } : {};
}

function baseOf(numbers: ScenarioNumbers, shape: ScenarioShape) {
  const free = shape.envelope === 'free';
  const count = shape.servers[numbers.servers % shape.servers.length]!;
  const ttlMs = TTLS_MS[numbers.ttl]!;
  const replicas = free ? Math.max(numbers.replicas, leastReplicas(shape)) : 0;
  const retry = RETRIES[numbers.retry]!;
  const permits = [shape.permits ?? 1].flat();
  return {
    id: 'generated',
    seed: numbers.seed,
    lock: {
      name: shape.lock,
      ttlMs,
      permits: permits[numbers.permits % permits.length]!,
      options: {
        retryCount: free ? Math.ceil((0.6 * VIRTUAL_MS) / retry.retryDelayMs) : 30,
        ...retry,
        driftFactor: shape.fixedAllowance === true ? DEFAULT_ALLOWANCE : ALLOWANCES[numbers.allowance]!,
        ...watchdogOf(numbers, shape),
      },
    },
    servers: {
      count,
      replicas,
      ...(replicas === 0 ? {} : { replicationMs: 1 + Math.round((ttlMs * numbers.lag) / 100) }),
      persistence: persistenceOf(numbers, shape),
    },
    processes: {
      count: numbers.processes,
      tasks: numbers.tasks,
      sharedClient: numbers.tasks > 1 && numbers.shared === 3,
    },
    resource: { fenced: shape.fenced === true },
    limits: { virtualMs: VIRTUAL_MS, events: 60_000 },
  } as const satisfies ScenarioInput;
}

function watchdogOf({ renewal }: ScenarioNumbers, { watchdog }: ScenarioShape): { watchdog?: boolean } {
  if (watchdog === true && renewal === 2) return { watchdog: true };
  return watchdog === 'by-default' && renewal !== 2 ? { watchdog: false } : {};
}

/** Where only promotions are drawn, there is something to promote. */
function leastReplicas({ kinds }: ScenarioShape): number {
  return kinds?.includes('promote') === true && !kinds.includes('pause') ? 1 : 0;
}

function persistenceOf({ persistent, lag }: ScenarioNumbers, { fenced }: ScenarioShape) {
  if (fenced === true) return 'aof-always';
  return persistent ? (lag % 3 === 2 ? 'aof-everysec' : 'aof-always') : 'none';
}

function swarm(bits: number, kinds: readonly DrawnKind[]): readonly DrawnKind[] {
  const chosen = kinds.filter((_, index) => ((bits >> index) & 1) === 1);
  return chosen.length === 0 ? kinds : chosen;
}
