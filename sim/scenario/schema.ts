/**
 * A scenario is data: topology, workload, fault schedule, seed. This schema is the one source of its type, its
 * defaults, its JSON Schema and its error messages. Every option takes effect or is refused.
 */
import { z } from 'zod';
import { EVICTION_POLICIES } from '../redis/keyspace.js';

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

/** Milliseconds, at most three decimals: true time is whole microseconds. */
const ms = z
  .number()
  .min(0)
  .refine((value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6, {
    message: 'milliseconds carry at most three decimals',
  });
const signedMs = z.number().refine((value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6, {
  message: 'milliseconds carry at most three decimals',
});
/** A fixed duration, or `[least, most]` for a uniform draw. */
const duration = z.union([
  ms,
  z.tuple([ms, ms]).refine(([least, most]) => least <= most, { message: 'the least comes first' }),
]);
const ppm = z.number().gt(-1_000_000).lt(1_000_000);
const count = z.int().min(0);

export const HOST_PATTERN = /^(p[1-9]\d*|redis-[1-9]\d*(-replica-[1-9]\d*)?|sentinel-[1-9]\d*|storage)$/;
const host = z.string().regex(HOST_PATTERN, {
  message: 'a host is p1, redis-1, redis-1-replica-1, sentinel-1 or storage (with its own number)',
});
const hosts = z.union([host, z.array(host).min(1)]);

export const TRIGGER_EVENTS = [
  'asked',
  'granted',
  'checked',
  'used',
  'sent',
  'applied',
  /** A command of an acquire set a key on a server, whichever command and script the lock uses for it. */
  'voted',
  'replied',
  'replicated',
  'refreshing',
  'releasing',
  'released',
  'lost',
  'clock-read',
] as const;
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

/** The moment a fault strikes: an event of the run, counted from 1 among those that match. */
export const triggerSchema = z.strictObject({
  event: z.enum(TRIGGER_EVENTS),
  /** Only events of this process (for `applied`, `voted` and `replied`: of its commands). */
  process: host.optional(),
  /** Only events that concern this server. */
  server: host.optional(),
  /** Only commands of this name, in upper case, or uses of this kind (`READ`, `WRITE`). */
  command: z.string().optional(),
  nth: z.int().min(1).default(1),
  /** Strikes at every match from the nth on, not only there. */
  every: z.boolean().default(false),
  /** Strikes with this probability at each match. */
  chance: z.number().gt(0).max(1).default(1),
  /** Strikes this long after the event; 0 is at once, inside the step that caused it. */
  afterMs: ms.default(0),
});
export type Trigger = z.output<typeof triggerSchema>;

const when = { atMs: ms.optional(), on: triggerSchema.optional() };
const between = { from: hosts, to: hosts };

/** What strikes. `host` defaults to the process of the trigger. Durations left out last to the end of the run. */
export const faultSchema = z
  .discriminatedUnion('do', [
    z.strictObject({ ...when, do: z.literal('pause'), host: host.optional(), forMs: duration }),
    z.strictObject({ ...when, do: z.literal('step-clock'), host: host.optional(), byMs: signedMs }),
    z.strictObject({ ...when, do: z.literal('set-drift'), host: host.optional(), driftPpm: ppm }),
    /**
     * The host stops at once. A server keeps what it had written to its files; with `power` its machine goes down, and what
     * was not synced to the disk is gone, too.
     */
    z.strictObject({
      ...when,
      do: z.literal('crash'),
      host: host.optional(),
      power: z.boolean().default(false),
      restartAfterMs: ms.optional(),
    }),
    /** An orderly stop: a server with any persistence saves all it has. */
    z.strictObject({ ...when, do: z.literal('shutdown'), host, restartAfterMs: ms.optional() }),
    z.strictObject({ ...when, do: z.literal('restart'), host: host.optional() }),
    z.strictObject({
      ...when,
      do: z.literal('partition'),
      ...between,
      oneWay: z.boolean().default(false),
      forMs: ms.optional(),
    }),
    z.strictObject({ ...when, do: z.literal('heal'), ...between, oneWay: z.boolean().default(false) }),
    /** Messages sent from now on are kept back in order, in one direction; connections stay up. */
    z.strictObject({ ...when, do: z.literal('hold'), ...between, forMs: ms.optional() }),
    z.strictObject({ ...when, do: z.literal('release'), ...between }),
    /** Connections between the hosts break: requests and replies in flight are lost, clients reconnect. */
    z.strictObject({ ...when, do: z.literal('reset'), ...between }),
    z.strictObject({ ...when, do: z.literal('slow'), ...between, latencyMs: duration, forMs: ms.optional() }),
    /** The very message of the trigger (`sent`, `used` or `replied`) takes this much longer. */
    z.strictObject({ ...when, do: z.literal('delay'), byMs: ms }),
    /**
     * An operator's failover: a replica (the first, if none is named) becomes the master, with the data that had reached it, and
     * gets the address of the server; the others follow it, and so does the old master if it is up or comes back.
     */
    z.strictObject({ ...when, do: z.literal('promote'), host, replica: host.optional() }),
    /** Others write a value of so many bytes to the server, in a key without a ttl: memory gets short. */
    z.strictObject({ ...when, do: z.literal('fill'), host, bytes: z.int().min(1).max(100_000_000) }),
  ])
  .refine((fault) => (fault.atMs === undefined) !== (fault.on === undefined), {
    message: 'a fault has either `atMs` or `on`',
  });
export type Fault = z.output<typeof faultSchema>;
export type FaultKind = Fault['do'];
export const FAULT_KINDS = faultSchema.options.map((option) => option.shape.do.value) as FaultKind[];

export const DISCIPLINES = ['naive', 'checks', 'heeds'] as const;

const lockOptions = z.looseObject({
  retryCount: count.default(10),
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
  servers: z
    .strictObject({
      count: z.int().min(1).max(99).default(1),
      engine: z.enum(['native', 'ioredis-mock']).default('native'),
      version: z
        .string()
        .regex(/^(valkey-)?\d+\.\d+$/, { message: 'a version is written 7.0 or valkey-9.0' })
        .default('7.0'),
      /** `rdb` saves at its save points and at an orderly shutdown; the append-only file is synced as `appendfsync` says. */
      persistence: z.enum(['none', 'rdb', 'aof-always', 'aof-everysec', 'aof-no']).default('none'),
      /** Save points of `rdb`: after so many seconds if so many keys have changed. */
      savePoints: z.array(z.strictObject({ afterS: z.int().min(1), changes: z.int().min(1) })).default([
        { afterS: 3600, changes: 1 },
        { afterS: 300, changes: 100 },
        { afterS: 60, changes: 10_000 },
      ]),
      /** How long a server with persistence takes to load its data at a restart; it answers LOADING meanwhile. */
      loadMs: ms.default(0),
      /** After a restart the server refuses to work for this long by its own wall clock: the delayed restart of Redlock. */
      delayedRestartMs: ms.default(0),
      replicas: z.int().min(0).max(5).default(0),
      /** Writes are refused with fewer replicas whose last acknowledgement is at most so old. 0 replicas: never refused. */
      minReplicasToWrite: count.default(0),
      minReplicasMaxLagS: count.default(10),
      /** Bytes, by the engine's own reckoning; 0: no limit. */
      maxMemory: count.default(0),
      maxMemoryPolicy: z.enum(EVICTION_POLICIES).default('noeviction'),
      /** Sentinels that watch every server; clients then ask them for the master. */
      sentinels: z
        .strictObject({
          count: z.int().min(1).max(9).default(3),
          quorum: z.int().min(1).default(2),
          downAfterMs: ms.gt(0).default(30_000),
          failoverTimeoutMs: ms.gt(0).default(180_000),
        })
        .optional(),
      /** The servers are the masters of one Redis Cluster, to which a lock talks as to one server. */
      cluster: z
        .strictObject({
          nodeTimeoutMs: ms.gt(0).default(15_000),
          replicaValidityFactor: count.default(10),
          requireFullCoverage: z.boolean().default(true),
        })
        .optional(),
      /** Lua texts that every server knows from the start, as one that has been in use does; lost at a restart. */
      scripts: z.array(z.string().min(1)).default([]),
      /** Latency of the links between the nodes of one server: how long a write takes from master to replica. */
      replicationMs: duration.default(1),
    })
    .prefault({}),
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
