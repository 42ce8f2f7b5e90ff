/** What every generated scenario is drawn from, before it becomes one. */
import * as fc from 'fast-check';
import type { DISCIPLINES, ScenarioInput } from '../../sim/scenario/schema.js';
import { DRAWN_KINDS, faultNumbers, type FaultNumbers } from './faults.js';

/** All that is drawn: small numbers, so that shrinking is the same for every shape. */
export interface ScenarioNumbers {
  readonly seed: number;
  readonly servers: number;
  readonly processes: number;
  readonly tasks: number;
  readonly rounds: number;
  readonly ttl: number;
  readonly allowance: number;
  readonly retry: number;
  readonly latency: number;
  readonly spread: number;
  readonly storageLatency: number;
  /** Per cent of the ttl. */
  readonly work: number;
  readonly steps: number;
  readonly think: number;
  readonly start: number;
  readonly discipline: number;
  /** None, by hand, by the lock itself. */
  readonly renewal: number;
  /** Askings are withdrawn: not below {@link PATIENT}. */
  readonly withdraw: number;
  /** 3: the tasks of a process share a client. */
  readonly shared: number;
  readonly resources: number;
  readonly loss: number;
  readonly replicas: number;
  readonly persistent: boolean;
  readonly drifts: readonly number[];
  /** Swarm testing: each run has some kinds of faults only (a bit for each). */
  readonly swarm: number;
  readonly faults: readonly FaultNumbers[];
  /** Which of the permits that the shape has. */
  readonly permits: number;
  /** Which holds are nested: see {@link nestingOf}. */
  readonly nesting: number;
  /** Per cent of the ttl that a write takes to a replica. */
  readonly lag: number;
}

export function scenarioNumbers(): fc.Arbitrary<ScenarioNumbers> {
  return fc.record({
    seed: fc.noShrink(fc.nat({ max: 0x7fff_ffff })),
    servers: fc.nat({ max: 3 }),
    processes: fc.integer({ min: 2, max: 4 }),
    tasks: fc.integer({ min: 1, max: 2 }),
    rounds: fc.integer({ min: 1, max: 3 }),
    ttl: fc.nat({ max: 3 }),
    allowance: fc.nat({ max: 3 }),
    retry: fc.nat({ max: 3 }),
    latency: fc.integer({ min: 1, max: 20 }),
    spread: fc.nat({ max: 4 }),
    storageLatency: fc.nat({ max: 10 }),
    work: fc.nat({ max: 130 }),
    steps: fc.constantFrom(2, 0, 1, 3, 4),
    think: fc.nat({ max: 50 }),
    start: fc.nat({ max: 50 }),
    discipline: fc.nat({ max: 2 }),
    renewal: fc.nat({ max: 2 }),
    withdraw: fc.nat({ max: 99 }),
    shared: fc.nat({ max: 3 }),
    resources: fc.integer({ min: 1, max: 2 }),
    loss: fc.nat({ max: 3 }),
    replicas: fc.nat({ max: 1 }),
    persistent: fc.boolean(),
    drifts: fc.array(fc.integer({ min: -100, max: 100 }), { maxLength: 9 }),
    swarm: fc.nat({ max: 2 ** DRAWN_KINDS.length - 1 }),
    faults: fc.array(faultNumbers(), { maxLength: 5 }),
    permits: fc.nat({ max: 2 }),
    nesting: fc.nat({ max: 19 }),
    lag: fc.nat({ max: 60 }),
  });
}

/** Below this nobody withdraws. */
const PATIENT = 70;

/** Who does what: the same in every envelope, but for how long the work takes and how carefully it is done. */
export function workloadOf(
  numbers: ScenarioNumbers,
  ttlMs: number,
  mostWorkMs: number,
  discipline: (typeof DISCIPLINES)[number],
): NonNullable<ScenarioInput['workload']> {
  return {
    resources: ['a', 'b'].slice(0, numbers.resources),
    rounds: numbers.rounds,
    startMs: [0, numbers.start],
    workMs: [0, Math.round((mostWorkMs * numbers.work) / 130)],
    steps: numbers.steps,
    thinkMs: numbers.think,
    discipline,
    ...(numbers.renewal === 1 ? { extend: { atFraction: 0.4, max: 3 } } : {}),
    ...(numbers.withdraw < PATIENT
      ? {}
      : { withdrawAfterMs: Math.round((ttlMs * (numbers.withdraw - PATIENT + 1)) / 10) }),
  };
}

/**
 * One holding in so many is nested: it asks once more for what it holds, or for all resources, one inside the other. None that is
 * renewed: while a task renews one hold and asks for another, its commands are neither's for certain.
 */
export function nestingOf({ nesting, resources, renewal }: ScenarioNumbers): ScenarioInput['workload'] {
  if (renewal > 0) return {};
  if (nesting >= 18) return { order: ['a', 'a'], nested: true };
  return nesting === 17 && resources > 1 ? { nested: true } : {};
}

/** Latency of all links: fixed, or from a range. */
export function latencyMs({ latency, spread }: ScenarioNumbers): number | [number, number] {
  return spread === 0 ? latency : [latency, latency * (1 + spread)];
}

/** The longest latency that is drawn: an answer still comes within the time-out of a lock of several servers. */
const MOST_LATENCY_MS = 20;

/** The same, for locks that give a silent server up. */
export function promptLatencyMs({ latency, spread }: ScenarioNumbers): number | [number, number] {
  return spread === 0 ? latency : [latency, Math.min(latency * (1 + spread), MOST_LATENCY_MS)];
}

/** Share of segments that are lost and sent again. */
export function lossOf({ loss }: ScenarioNumbers): number {
  return [0, 0.01, 0.02, 0.005][loss]!;
}
