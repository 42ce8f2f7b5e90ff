/** What strikes, and at which moment: the fault schedule of a scenario. */
import * as z from 'zod';
import { duration, host, hosts, ms, ppm, signedMs } from './schema-parts.js';

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
  /** A reply, or the storage's answer, reaches the process: before anything in it is acted upon. */
  'delivered',
  /** A timer of the process fires: before its callback runs. */
  'timer',
] as const;
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number];

/** The moment a fault strikes: an event of the run, counted from 1 among those that match. */
export const triggerSchema = z.strictObject({
  event: z.enum(TRIGGER_EVENTS),
  /** Only events of this process (for `applied`, `voted` and `replied`: of its commands). */
  process: host.optional(),
  /** Only events that concern this server. */
  server: host.optional(),
  /** Only commands of this name, in upper case, uses of this kind (`READ`, `WRITE`) or readings of this clock (`WALL`, `MONOTONIC`). */
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
