/**
 * `lockpick/history@1`: everything a run says about itself. A history is a header and an append-only list of
 * events, ordered by true time; properties and reports read nothing else. In a file: JSON Lines, header first.
 *
 * Conventions. `i` counts from 0. `tUs` is true time in whole microseconds from the start of the run. `host` is where
 * it happened. Events of a process carry `step`, the ordinal of the process's step. `hold` names an acquire attempt and
 * what comes of it (`p1/1/2`: process, task, ordinal), whether or not it is granted. An `invoke` is followed by `ok`,
 * `fail` (did not happen) or nothing; `info` is an observation.
 */
import * as z from 'zod';
import { scenarioSchema } from '../scenario/schema.js';

const base = { i: z.int(), tUs: z.int(), host: z.string() };
const ofProcess = { ...base, step: z.int(), task: z.string() };
const ofHold = { ...ofProcess, hold: z.string() };

/** Error name, code and first line; never a stack. `cause`: the name of the error behind it. */
export const errorInfo = z.object({
  name: z.string(),
  code: z.string().optional(),
  message: z.string(),
  cause: z.string().optional(),
});
export type ErrorInfo = z.output<typeof errorInfo>;

/** A claimed end: the reading, in milliseconds, of the named clock of the hold's process. */
export const claimSchema = z.object({ clock: z.enum(['wall', 'monotonic']), endMs: z.number() });
export type Claim = z.output<typeof claimSchema>;

/**
 * A host's clocks from this instant on: at `tUs` they read `wallUs` and `monoUs`; each advances by
 * `dt + floor(dt × ppm / 1e6)` for true time `dt`. One for each host at the start, one at each change.
 */
const clock = z.object({
  ...base,
  kind: z.literal('clock'),
  wallUs: z.int(),
  wallPpm: z.number(),
  monoUs: z.int(),
  monoPpm: z.number(),
  cause: z.enum(['initial', 'step', 'drift']),
});

const acquire = z.discriminatedUnion('phase', [
  z.object({
    ...ofHold,
    kind: z.literal('acquire'),
    phase: z.literal('invoke'),
    resource: z.string(),
    ttlMs: z.number(),
  }),
  z.object({
    ...ofHold,
    kind: z.literal('acquire'),
    phase: z.literal('ok'),
    /** Null: the lock claims no end. */
    claim: claimSchema.nullable(),
    fence: z.number().nullable(),
    /** The lock promises to signal a loss. */
    signals: z.boolean(),
    /** The lock renews by itself. */
    renews: z.boolean(),
    /** Servers whose reply to a command that set a key of this hold had been handled. */
    votes: z.array(z.string()),
  }),
  z.object({ ...ofHold, kind: z.literal('acquire'), phase: z.literal('fail'), error: errorInfo }),
  /** The asking was withdrawn by its signal (the call may still settle later). */
  z.object({ ...ofHold, kind: z.literal('acquire'), phase: z.literal('info') }),
]);

/** A renewal: by the workload (`invoke`, then `ok` or `fail`), or one of the lock's own that moved its claim (`info`). */
const extend = z.discriminatedUnion('phase', [
  z.object({ ...ofHold, kind: z.literal('extend'), phase: z.literal('invoke'), ttlMs: z.number() }),
  z.object({ ...ofHold, kind: z.literal('extend'), phase: z.literal('ok'), claim: claimSchema.nullable() }),
  z.object({ ...ofHold, kind: z.literal('extend'), phase: z.literal('fail'), error: errorInfo }),
  z.object({ ...ofHold, kind: z.literal('extend'), phase: z.literal('info'), claim: claimSchema }),
]);

const release = z.discriminatedUnion('phase', [
  z.object({ ...ofHold, kind: z.literal('release'), phase: z.literal('invoke') }),
  z.object({ ...ofHold, kind: z.literal('release'), phase: z.literal('ok') }),
  z.object({ ...ofHold, kind: z.literal('release'), phase: z.literal('fail'), error: errorInfo }),
]);

/** The lock told its holder that it is lost. */
const lost = z.object({ ...ofHold, kind: z.literal('lost'), reason: z.string().optional() });

/** The holder compared its claim with the clock before a step (disciplines `checks` and `heeds`). */
const check = z.object({ ...ofHold, kind: z.literal('check'), held: z.boolean() });

/** A use: sent by a process (`invoke`), then accepted (`ok`) or refused (`fail`) when it reaches the storage. */
const use = z.discriminatedUnion('phase', [
  z.object({
    ...ofHold,
    kind: z.literal('use'),
    phase: z.literal('invoke'),
    use: z.int(),
    resource: z.string(),
    op: z.enum(['read', 'write']),
    fence: z.number().nullable(),
  }),
  z.object({
    ...base,
    kind: z.literal('use'),
    phase: z.enum(['ok', 'fail']),
    use: z.int(),
    by: z.string(),
    hold: z.string(),
    resource: z.string(),
    op: z.enum(['read', 'write']),
    fence: z.number().nullable(),
    sentUs: z.int(),
  }),
]);

export const OPERATIONS = ['acquire', 'extend', 'release', 'hold', 'idle'] as const;
/** What the sender was doing: the open operation; `hold`: holding, none open; `idle`: no hold (late clean-up). */
export type OperationKind = (typeof OPERATIONS)[number];

/** A server executed a command. `key` events with its effects follow directly, with the same `by` and `hold`. */
const apply = z.object({
  ...base,
  kind: z.literal('apply'),
  /** Ordinal of the command in the run; ties `send`, `apply` and `reply` together. */
  command: z.int(),
  by: z.string(),
  task: z.string(),
  hold: z.string().nullable(),
  op: z.enum(OPERATIONS),
  args: z.array(z.string()),
  /** The reply as text, shortened: `OK`, `1`, `(nil)`, `-NOSCRIPT ...`. */
  reply: z.string(),
});

/** A reply, a time-out or a connection error reached the process that sent the command. */
const reply = z.object({
  ...ofProcess,
  kind: z.literal('reply'),
  command: z.int(),
  server: z.string(),
  hold: z.string().nullable(),
  op: z.enum(OPERATIONS),
  outcome: z.enum(['ok', 'error', 'timeout', 'disconnected']),
});

/**
 * A key changed on a server. `setter` is the hold whose command set it last (its owner; null if none did), `by` and
 * `hold` are who changed it now (absent for expiry, restart and promotion).
 * - `set`: created or overwritten; `setter` is then `hold`, `previous` the owner of the live key it replaced, if any
 * - `changed`: value modified in place · `deadline`: only the expiry moved · `deleted`
 * - `expired`: the server's wall clock passed the deadline
 * - `evicted`: the server was short of memory
 * - `lost`: gone at a restart or a promotion · `restored`: back at a restart or a promotion
 */
const key = z.object({
  ...base,
  kind: z.literal('key'),
  key: z.string(),
  effect: z.enum(['set', 'changed', 'deadline', 'deleted', 'expired', 'evicted', 'lost', 'restored']),
  /** Absolute deadline on this server's wall clock in ms, after the effect; null: none, or gone. */
  deadlineMs: z.number().nullable(),
  setter: z.string().nullable(),
  previous: z.string().nullable().optional(),
  by: z.string().optional(),
  hold: z.string().nullable().optional(),
  op: z.enum(OPERATIONS).optional(),
  command: z.int().optional(),
});

/** A fault struck; `fault` is its index in the scenario's schedule. */
const fault = z.object({
  ...base,
  kind: z.literal('fault'),
  fault: z.int(),
  do: z.string(),
  detail: z.string(),
});

/** Nothing of the host runs in [tUs, untilUs). `inStep`: it began inside a step, after an observable action. */
const pause = z.object({ ...base, kind: z.literal('pause'), untilUs: z.int(), inStep: z.boolean() });

const crash = z.object({ ...base, kind: z.literal('crash') });
const restart = z.object({ ...base, kind: z.literal('restart'), data: z.enum(['kept', 'lost', 'none']) });
/** `replica` took the place of server `host`; `unreplicated`: commands it had acknowledged and the replica had not. */
const promote = z.object({ ...base, kind: z.literal('promote'), replica: z.string(), unreplicated: z.int() });
/**
 * A Sentinel found, did or learned something about `server`, a node; `what` and `detail` are the channel and the message on
 * which it publishes it: `+sdown`, `+odown`, `+try-failover`, `+switch-master` and so on.
 */
const sentinel = z.object({
  ...base,
  kind: z.literal('sentinel'),
  what: z.string(),
  server: z.string(),
  detail: z.string(),
});
/** A link (one direction) is cut or whole again. */
const link = z.object({
  ...base,
  kind: z.literal('link'),
  to: z.string(),
  state: z.enum(['cut', 'whole', 'held', 'released', 'reset']),
});

/**
 * An unhandled rejection, a hot loop, an error thrown where nobody can catch it, an escape from the simulation; or an error of the work that a lock
 * which ran it kept from its caller, who heard `by` instead, or nothing.
 */
const trouble = z.object({
  ...base,
  kind: z.literal('trouble'),
  what: z.enum(['unhandled-rejection', 'hot-loop', 'uncaught', 'masked-error', 'escape']),
  error: errorInfo,
  by: errorInfo.optional(),
});

/** A process's call of the lock never settled and nothing is left that could settle it. */
const pending = z.object({
  ...ofHold,
  kind: z.literal('pending'),
  op: z.enum(['acquire', 'extend', 'release']),
});

/** The quiet tail begins: the last scheduled fault is over. Always present, at 0 where there are no faults. */
const tail = z.object({ ...base, kind: z.literal('tail') });

/** The run ended. `limit`: it was cut off. `untriggered`: faults whose trigger never came. */
const end = z.object({
  ...base,
  kind: z.literal('end'),
  reason: z.enum(['done', 'virtual-time', 'events', 'hot-loop', 'escape']),
  untriggered: z.array(z.int()),
});

/** Only in traces: a message left (`sent`), or a line was printed. */
const message = z.object({
  ...base,
  kind: z.literal('message'),
  to: z.string(),
  what: z.enum(['request', 'response', 'use', 'replication', 'cluster']),
  command: z.int().optional(),
  arrivesUs: z.int().nullable(),
});
const print = z.object({ ...base, kind: z.literal('print'), level: z.string(), line: z.string() });

export const eventSchema = z.union([
  clock,
  acquire,
  extend,
  release,
  lost,
  check,
  use,
  apply,
  reply,
  key,
  fault,
  pause,
  crash,
  restart,
  promote,
  sentinel,
  link,
  trouble,
  pending,
  tail,
  end,
  message,
  print,
]);

export const headerSchema = z.object({
  format: z.literal('lockpick/history@1'),
  scenario: scenarioSchema,
  lock: z.object({
    name: z.string(),
    /** What its grants in this run claimed; null where none was granted. */
    claims: z
      .object({
        validity: z.enum(['wall', 'monotonic']).nullable(),
        signals: z.boolean(),
        fence: z.boolean(),
        renews: z.boolean(),
      })
      .nullable(),
    /** SHA-256 of the lock's bundle. */
    bundle: z.string().nullable(),
  }),
  versions: z.object({ lockpick: z.string() }),
});

export type HistoryEvent = z.output<typeof eventSchema>;
export type EventKind = HistoryEvent['kind'];
export type EventOf<K extends EventKind, P = unknown> = Extract<
  HistoryEvent,
  { kind: K } & (P extends string ? { phase: P } : unknown)
>;
export type HistoryHeader = z.output<typeof headerSchema>;

export interface History {
  readonly header: HistoryHeader;
  readonly events: readonly HistoryEvent[];
}
