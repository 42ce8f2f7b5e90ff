/**
 * The six questions of opponents/lock.pml, asked of real code: each a scenario that is clean by itself, a lock, the kind of anomaly that the
 * question lets loose, and the property that the model asserts. Nobody is told where, or for how long.
 */
import type { AnomalyKind } from '../../properties/search/explore/spec.js';
import type { PropertyId, ScenarioInput } from '../../sim/scenario/schema.js';

export interface SpinQuestion {
  readonly name: string;
  /** Macros of the model. */
  readonly macros: readonly string[];
  /** Faults that the model makes without a step of their own: the client that stalls. */
  readonly silentFaults: number;
  /** A name, or a module's path beside this file. */
  readonly lock: string;
  readonly kinds: readonly AnomalyKind[];
  readonly property: PropertyId;
  readonly scenario: ScenarioInput;
}

const TTL_MS = 1000;

/** Asks once, when the first one's key is gone, if nobody has released it. */
const SECOND = { workload: { startMs: TTL_MS + 15 } };

const PLAIN = {
  lock: { ttlMs: TTL_MS, options: { retryCount: 0 } },
  network: { latencyMs: 1 },
  workload: { workMs: 10 },
} as const satisfies Partial<ScenarioInput>;

/** The section is at work for so long that a second one beside it shows. */
const LONG = 900;

export const SPIN_QUESTIONS: readonly SpinQuestion[] = [
  {
    name: 'pause 1x2',
    macros: ['N=1', 'C=2', 'PAUSE'],
    silentFaults: 1,
    lock: 'single',
    kinds: ['pause'],
    property: 'exclusive-use',
    scenario: { ...PLAIN, id: 'pause-1x2', overrides: { p2: SECOND } },
  },
  {
    name: 'pause 3x2',
    macros: ['N=3', 'C=2', 'PAUSE'],
    silentFaults: 1,
    lock: 'redlock',
    kinds: ['pause'],
    property: 'exclusive-use',
    scenario: { ...PLAIN, id: 'pause-3x2', servers: { count: 3 }, overrides: { p2: SECOND } },
  },
  {
    name: 'lost key 3x2',
    macros: ['N=3', 'C=2', 'LOSE=1'],
    silentFaults: 0,
    lock: 'redlock',
    kinds: ['step-clock'],
    property: 'mutual-exclusion',
    // Each is first at one server; the third decides.
    scenario: {
      ...PLAIN,
      id: 'lost-key-3x2',
      servers: { count: 3 },
      network: { latencyMs: 1, links: { 'p1->redis-3': 5, 'p2->redis-1': 30, 'p2->redis-2': 3 } },
      workload: { workMs: LONG, steps: 0 },
    },
  },
  {
    name: 'no validity check 3x2',
    macros: ['N=3', 'C=2', 'NOVALID'],
    silentFaults: 0,
    lock: 'pitfall/no-validity-check',
    kinds: ['pause'],
    property: 'mutual-exclusion',
    scenario: {
      ...PLAIN,
      id: 'no-validity-check-3x2',
      servers: { count: 3 },
      workload: { workMs: 10, steps: 0 },
      overrides: { p2: { workload: { ...SECOND.workload, workMs: LONG } } },
    },
  },
  {
    name: 'raw DEL 1x3',
    macros: ['N=1', 'C=3', 'DELRAW'],
    silentFaults: 0,
    lock: 'pitfall/del-without-check',
    kinds: ['delay'],
    property: 'mutual-exclusion',
    scenario: {
      ...PLAIN,
      id: 'raw-del-1x3',
      processes: { count: 3 },
      workload: { workMs: 10, steps: 0 },
      overrides: {
        p2: { workload: { ...SECOND.workload, workMs: LONG } },
        p3: { workload: { startMs: TTL_MS * 1.6 } },
      },
    },
  },
  {
    name: 'raw DEL 3x2',
    macros: ['N=3', 'C=2', 'DELRAW'],
    silentFaults: 0,
    lock: './opponents/raw-del.ts',
    kinds: ['pause'],
    property: 'mutual-exclusion',
    scenario: {
      ...PLAIN,
      id: 'raw-del-3x2',
      servers: { count: 3 },
      workload: { workMs: 10, steps: 0 },
      overrides: {
        p1: { workload: { rounds: 2, thinkMs: 300 } },
        p2: { workload: { ...SECOND.workload, workMs: LONG } },
      },
    },
  },
];
