/**
 * A scenario is data: topology, workload, fault schedule, seed. This schema is the one source of its type, its
 * defaults, its JSON Schema and its error messages. Every option takes effect or is refused.
 */
import * as z from 'zod';
import { faultSchema } from './fault-schema.js';
import { count, duration, host, ms, ppm, signedMs } from './schema-parts.js';
import { serverSchema } from './server-schema.js';

export {
  TRIGGER_EVENTS,
  type Fault,
  type FaultKind,
  type Trigger,
  type TriggerEvent,
} from './fault-schema.js';
export { HOST_PATTERN } from './schema-parts.js';

export const PROPERTY_IDS = [
  'mutual-exclusion',
  'exclusive-use',
  'no-stale-write',
  'fencing-order',
  'own-key-only',
  'quorum-backed',
  'honest-validity',
  'loss-signalled',
  'progress',
  'no-orphan',
  'settles',
  'quiet',
  'permits',
] as const;
export type PropertyId = (typeof PROPERTY_IDS)[number];

export const DISCIPLINES = ['naive', 'checks', 'heeds'] as const;

const lockOptions = z.looseObject({
  /** Attempts after the first one; -1: without end. */
  retryCount: z.int().min(-1).default(10),
  retryDelayMs: ms.default(200),
  retryJitterMs: ms.default(100),
});

const workload = z.strictObject({
  resources: z.array(z.string().min(1)).min(1).default(['a']),
  /** The resources in the order in which they are asked for, one a round; the default is the order of `resources`. */
  order: z.array(z.string().min(1)).min(1).optional(),
  /**
   * Each round asks for all of them, one inside the other, works at each of them as soon as it has it, and releases them inside out. What
   * stands twice in the order is asked for again by its own holder.
   */
  nested: z.boolean().default(false),
  rounds: z.int().min(1).default(1),
  startMs: duration.default(0),
  workMs: duration.default([10, 50]),
  /**
   * Accesses of the storage in a section: a read, then a write, and so on; each awaits the answer. The first comes at
   * once, the work time is spread evenly between them, the release follows the last answer. One: after the work. 0: the
   * work touches no storage.
   */
  steps: count.default(2),
  thinkMs: duration.default(0),
  discipline: z.enum(DISCIPLINES).default('naive'),
  /** Renew by hand when this fraction of the ttl has passed, at most so many times a hold. */
  extend: z
    .strictObject({ atFraction: z.number().gt(0).lt(1).default(0.5), max: count.default(10) })
    .optional(),
  /** Withdraw the asking after this long. */
  withdrawAfterMs: ms.optional(),
  /**
   * The work of each section ends with an error. A lock that runs the work itself, as `using` does, owes that error to its caller; any
   * other lock is released as always.
   */
  workFails: z.boolean().optional(),
});

const client = z.strictObject({
  /** Rejects a command that was not answered in time; null waits for ever, as ioredis does by default. */
  commandTimeoutMs: ms.nullable().default(null),
  /** Break the connection of a command that timed out and open a new one; its bytes stay in flight. */
  reconnectOnTimeout: z.boolean().default(false),
  /** Commands wait for a connection instead of failing at once. */
  offlineQueue: z.boolean().default(true),
  /** Commands that only read go to the first replica. */
  readFromReplica: z.boolean().default(false),
  /** Reconnections after which waiting commands are given up; null waits for ever. */
  maxRetriesPerRequest: count.nullable().default(20),
});

const linkPattern = /^[\w-]+->[\w-]+$/;
const network = z.strictObject({
  latencyMs: duration.default([1, 5]),
  /** Latency of single directions, e.g. `"p1->redis-1"`. */
  links: z
    .record(z.string().regex(linkPattern, { message: 'a link is written p1->redis-1' }), duration)
    .default({}),
  /** Probability that a segment is lost and sent again after `retransmitMs`, doubling each time. */
  loss: z.number().min(0).max(1).default(0),
  retransmitMs: ms.default(200),
  /** On the wire: probability that a segment is cut in two somewhere. */
  cut: z.number().min(0).max(1).default(0),
  /** A connection whose segment is undelivered for this long breaks. */
  giveUpMs: ms.default(60_000),
});

const hostClock = z.strictObject({
  offsetMs: signedMs.default(0),
  /** Rate of both clocks against true time, in parts per million. */
  driftPpm: ppm.default(0),
});

/** The same members, all optional and without defaults: what is left out stays as the scenario has it. */
function withoutDefaults<Shape extends z.core.$ZodLooseShape>(object: z.ZodObject<Shape>) {
  const shape: Record<string, z.ZodType> = {};
  for (const [name, member] of Object.entries(object.shape as Record<string, z.ZodType>)) {
    shape[name] = (member instanceof z.ZodDefault ? (member.unwrap() as z.ZodType) : member).optional();
  }
  type Inner<T> = T extends z.ZodDefault<infer U> ? U : T;
  return z.strictObject(shape) as unknown as z.ZodObject<
    { [Name in keyof Shape]: z.ZodOptional<Inner<Shape[Name]> & z.core.$ZodType> },
    z.core.$strict
  >;
}

const override = z.strictObject({
  network: withoutDefaults(network.pick({ latencyMs: true })).optional(),
  workload: withoutDefaults(workload).optional(),
  client: withoutDefaults(client).optional(),
  lock: z.strictObject({ ttlMs: ms.optional(), options: z.looseObject({}).optional() }).optional(),
});

const expectation = z.record(
  z.string(),
  z.record(z.string(), z.union([z.string(), z.record(z.string(), z.unknown())])),
);

export const scenarioSchema = z.strictObject({
  format: z.literal('lockpick/scenario@1').default('lockpick/scenario@1'),
  id: z.string().min(1),
  seed: z.int().min(0).default(1),
  lock: z
    .strictObject({
      name: z.string().min(1).default('single'),
      ttlMs: ms.gt(0).default(1000),
      /** How many may hold the lock at once: more than one is a semaphore's. */
      permits: z.int().min(1).default(1),
      options: lockOptions.prefault({}),
    })
    .prefault({}),
  servers: serverSchema.prefault({}),
  processes: z
    .strictObject({
      count: z.int().min(1).max(99).default(2),
      tasks: z.int().min(1).max(99).default(1),
      /**
       * `direct`: clients of lockpick's own, whose commands travel as messages. `wire`: a real client package over simulated
       * sockets.
       */
      transport: z.enum(['direct', 'wire']).default('direct'),
      /** The package that makes a lock's clients on the wire: `ioredis` or `redis`, with a major version if need be. */
      clientPackage: z
        .string()
        .regex(/^(ioredis|redis)(@\d+)?$/, {
          message: 'a client package is written ioredis, redis or ioredis@6',
        })
        .default('ioredis'),
      sharedClient: z.boolean().default(false),
      client: client.prefault({}),
    })
    .prefault({}),
  network: network.prefault({}),
  clocks: z
    .object({ driftBoundPpm: ppm.min(0).default(10_000) })
    .catchall(hostClock)
    .prefault({}),
  workload: workload.prefault({}),
  overrides: z.record(host, override).default({}),
  resource: z.strictObject({ fenced: z.boolean().default(false) }).prefault({}),
  faults: z.array(faultSchema).default([]),
  limits: z
    .strictObject({
      virtualMs: ms.default(60_000),
      events: z.int().min(1).default(200_000),
      /** Events of one process within one virtual millisecond; more is a hot loop. */
      eventsPerMs: z.int().min(1).default(2_000),
    })
    .prefault({}),
  bounds: z
    .strictObject({
      progressMs: ms.optional(),
      orphanMs: ms.optional(),
      settleMs: ms.optional(),
    })
    .prefault({}),
  /** For each lock: property -> `holds`, `violated/<blame>` or `unknown`; and `observe`, named figures of its processes. */
  expect: expectation.default({}),
});

/** A scenario with all defaults filled in. */
export type Scenario = z.output<typeof scenarioSchema>;
/** A scenario as people write it. */
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type Duration = z.output<typeof duration>;
