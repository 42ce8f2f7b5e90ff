/**
 * The fixed list of single changes that are tried on a violation. Each is one thing that somebody could do: to the storage, the
 * lock, the servers, the holder, or, for what is learned by it, to the world.
 */
import type { Scenario } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';
import { anomaliesOf, without, type Anomaly } from './anomalies.js';

/** What the caller knows about the scenario's lock and its relatives. */
export interface LockFamily {
  /** The same lock with fencing tokens; null: there is none, or it has them. */
  readonly fenced: string | null;
  /** Its grants carry tokens. */
  readonly givesTokens: boolean;
  /** The reference lock that stands in for one with a mistake, or for a library; null: it is one itself. */
  readonly reference: string | null;
  /** It takes the options of the reference locks: watchdog, driftFactor, waitReplicas. */
  readonly takesOptions: boolean;
  /** It works on several servers. */
  readonly manyServers: boolean;
  /** The clock by which it measures its claims; null: it claims no end, or nothing was granted. */
  readonly clock: 'wall' | 'monotonic' | null;
  readonly name: string;
}

export const CHANGE_IDS = [
  'reference-lock',
  'fence-storage',
  'no-pause',
  'no-clock-change',
  'no-crash',
  'no-network-fault',
  'ttl-x2',
  'one-server-more',
  'watchdog',
  'drift-allowance',
  'monotonic-clock',
  'wait-1',
  'fsync-always',
  'min-replicas',
  'delayed-restart',
  'no-eviction',
  'holder-checks',
  'holder-heeds',
  'command-timeout',
  'same-connection',
  'retry-jitter',
] as const;
export type ChangeId = (typeof CHANGE_IDS)[number];

/** A change that can be made to this scenario, or why it can't. */
export type PlannedChange = { readonly id: ChangeId; readonly what: string } & (
  { readonly lock?: string; readonly settings: readonly Setting[] } | { readonly inapplicable: string }
);

/** How a change reads whose settings nobody would type: a list of faults. */
export const WITHOUT = 'without ';

type Draft = Omit<PlannedChange, 'id'> &
  ({ readonly lock?: string; readonly settings: readonly Setting[] } | { readonly inapplicable: string });

/** All of them, in a fixed order. `violatesSafety`: something beside liveness is violated. */
export function changesFor(scenario: Scenario, family: LockFamily, violatesSafety: boolean): PlannedChange[] {
  const drafts: Readonly<Record<ChangeId, Draft>> = {
    ...lockChanges(scenario, family),
    ...worldChanges(scenario),
    ...serverChanges(scenario, family),
    ...holderChanges(scenario),
    'ttl-x2': ttlChange(scenario, violatesSafety),
  };
  return CHANGE_IDS.map((id) => ({ id, ...drafts[id] }) as PlannedChange);
}

const set = (path: string, value: unknown): Setting => ({ path, value });

function lockChanges(
  { lock, resource, servers }: Scenario,
  family: LockFamily,
): Pick<
  Record<ChangeId, Draft>,
  'reference-lock' | 'fence-storage' | 'watchdog' | 'drift-allowance' | 'monotonic-clock' | 'wait-1'
> {
  const { fenced, givesTokens, reference, takesOptions, clock, name } = family;
  const foreign = `which options ${name} takes is its own affair`;
  const factor = typeof lock.options['driftFactor'] === 'number' ? lock.options['driftFactor'] : 0.01;
  return {
    'reference-lock': {
      what: reference === null ? 'a reference lock' : `the lock ${reference}`,
      ...(reference === null ? { inapplicable: `${name} is one` } : { lock: reference, settings: [] }),
    },
    'fence-storage': fencing(resource.fenced, givesTokens, fenced, name),
    watchdog: {
      what: 'a lock that renews itself',
      ...(!takesOptions
        ? { inapplicable: foreign }
        : lock.options['watchdog'] === true
          ? { inapplicable: 'it does' }
          : { settings: [set('lock.options.watchdog', true)] }),
    },
    'drift-allowance': {
      what: 'ten times the drift allowance',
      ...(!takesOptions
        ? { inapplicable: foreign }
        : { settings: [set('lock.options.driftFactor', Math.min(0.5, factor * 10))] }),
    },
    'monotonic-clock': {
      what: 'a lock that measures on the monotonic clock',
      ...(clock !== 'wall'
        ? { inapplicable: clock === null ? `${name} measures on no clock` : `${name} does` }
        : reference === null
          ? { inapplicable: 'no such lock is known' }
          : { lock: reference, settings: [] }),
    },
    'wait-1': {
      what: 'a vote that waits for one replica',
      ...waiting(servers.replicas, lock.options['waitReplicas'], takesOptions ? null : foreign),
    },
  };
}

function waiting(
  replicas: number,
  now: unknown,
  foreign: string | null,
): { inapplicable: string } | { settings: Setting[] } {
  if (replicas === 0) return { inapplicable: 'the servers have no replicas' };
  if (foreign !== null) return { inapplicable: foreign };
  if (typeof now === 'number' && now >= 1) return { inapplicable: 'it does' };
  return { settings: [set('lock.options.waitReplicas', 1)] };
}

function fencing(already: boolean, givesTokens: boolean, fenced: string | null, name: string): Draft {
  const what = 'storage that checks tokens';
  if (already) return { what, inapplicable: 'it does' };
  const settings = [set('resource.fenced', true)];
  if (givesTokens) return { what, settings };
  if (fenced === null)
    return { what, inapplicable: `${name} gives no tokens, and no relative that does is known` };
  return { what: `${fenced} and ${what}`, lock: fenced, settings };
}

/** Fault kinds by what they do, for changes that leave a whole kind out. */
const KINDS = {
  'no-pause': { what: 'any pause', of: ['pause'], none: 'nothing is paused' },
  'no-clock-change': {
    what: 'any fault of a clock',
    of: ['step-clock', 'set-drift', 'clock'],
    none: 'all clocks run true',
  },
  'no-crash': {
    what: 'any crash or failover',
    of: ['crash', 'shutdown', 'restart', 'promote'],
    none: 'nothing crashes',
  },
  'no-network-fault': {
    what: 'any fault of the network',
    of: ['partition', 'heal', 'hold', 'release', 'reset', 'slow', 'delay', 'loss'],
    none: 'the network has no faults',
  },
} as const;

function kindOf(scenario: Scenario, { fault, path }: Anomaly): string {
  if (fault !== null) return scenario.faults[fault]!.do;
  return path === 'network.loss' ? 'loss' : 'clock';
}

function worldChanges(scenario: Scenario): Pick<Record<ChangeId, Draft>, keyof typeof KINDS> {
  const all = anomaliesOf(scenario);
  const leaveOut = (id: keyof typeof KINDS): Draft => {
    const { what, of, none } = KINDS[id];
    const left = all.filter((anomaly) => (of as readonly string[]).includes(kindOf(scenario, anomaly)));
    if (left.length === 0) return { what: `${WITHOUT}${what}`, inapplicable: none };
    const named = left.length === 1 ? `the ${left[0]!.what}` : what;
    return { what: `${WITHOUT}${named}`, settings: without(scenario, left) };
  };
  return {
    'no-pause': leaveOut('no-pause'),
    'no-clock-change': leaveOut('no-clock-change'),
    'no-crash': leaveOut('no-crash'),
    'no-network-fault': leaveOut('no-network-fault'),
  };
}

/** Bounds of liveness grow with the ttl, so that there a longer one would only seem to help. */
function ttlChange({ lock }: Scenario, violatesSafety: boolean): Draft {
  const ttlMs = lock.ttlMs * 2;
  const what = `a ttl of ${ttlMs} ms`;
  if (violatesSafety) return { what, settings: [set('lock.ttlMs', ttlMs)] };
  return { what, inapplicable: 'what is violated is about waiting, and those bounds grow with the ttl' };
}

function serverChanges(
  { servers, faults, lock }: Scenario,
  { manyServers, name }: LockFamily,
): Pick<
  Record<ChangeId, Draft>,
  'one-server-more' | 'fsync-always' | 'min-replicas' | 'delayed-restart' | 'no-eviction'
> {
  const crashes = faults.some(({ do: what }) => what === 'crash' || what === 'shutdown');
  const more = servers.count + 1;
  return {
    'one-server-more': {
      what: `${more} servers`,
      ...(manyServers
        ? { settings: [set('servers.count', more)] }
        : { inapplicable: `${name} is a lock of one server` }),
    },
    'fsync-always': {
      what: 'servers that sync every write',
      ...(servers.persistence === 'aof-always'
        ? { inapplicable: 'they do' }
        : !crashes
          ? { inapplicable: 'no server stops' }
          : { settings: [set('servers.persistence', 'aof-always')] }),
    },
    'min-replicas': {
      what: 'writes only with a replica at most a second behind',
      ...(servers.replicas === 0
        ? { inapplicable: 'the servers have no replicas' }
        : servers.minReplicasToWrite > 0
          ? { inapplicable: 'they do' }
          : { settings: [set('servers.minReplicasToWrite', 1), set('servers.minReplicasMaxLagS', 1)] }),
    },
    'delayed-restart': {
      what: 'servers that stay away for a ttl after a crash',
      ...(!crashes
        ? { inapplicable: 'no server stops' }
        : servers.delayedRestartMs >= lock.ttlMs
          ? { inapplicable: 'they do' }
          : { settings: [set('servers.delayedRestartMs', Math.ceil(lock.ttlMs * 1.02) + 2)] }),
    },
    'no-eviction': {
      what: 'servers that evict nothing',
      ...(servers.maxMemory === 0
        ? { inapplicable: 'their memory has no limit' }
        : servers.maxMemoryPolicy === 'noeviction'
          ? { inapplicable: 'they evict nothing' }
          : { settings: [set('servers.maxMemoryPolicy', 'noeviction')] }),
    },
  };
}

/** Longer than this a command is waited for in no scenario of a sound network. */
const TIMEOUT_MS = 100;

function holderChanges({
  workload,
  processes,
  lock,
}: Scenario): Pick<
  Record<ChangeId, Draft>,
  'holder-checks' | 'holder-heeds' | 'command-timeout' | 'same-connection' | 'retry-jitter'
> {
  const { discipline } = workload;
  const { commandTimeoutMs, reconnectOnTimeout } = processes.client;
  return {
    'holder-checks': {
      what: 'a holder that checks its validity before each step',
      ...(discipline === 'naive'
        ? { settings: [set('workload.discipline', 'checks')] }
        : { inapplicable: 'it does' }),
    },
    'holder-heeds': {
      what: 'a holder that stops when told',
      ...(discipline === 'heeds'
        ? { inapplicable: 'it does' }
        : { settings: [set('workload.discipline', 'heeds')] }),
    },
    'command-timeout': {
      what: `clients that wait at most ${TIMEOUT_MS} ms for an answer`,
      ...(commandTimeoutMs === null
        ? { settings: [set('processes.client.commandTimeoutMs', TIMEOUT_MS)] }
        : { inapplicable: `they wait ${commandTimeoutMs} ms` }),
    },
    'same-connection': {
      what: "clients that keep a timed-out command's connection",
      ...(reconnectOnTimeout
        ? { settings: [set('processes.client.reconnectOnTimeout', false)] }
        : { inapplicable: 'they do' }),
    },
    'retry-jitter': {
      what: 'askers that wait for random times',
      ...(lock.options.retryJitterMs > 0
        ? { inapplicable: 'they do' }
        : { settings: [set('lock.options.retryJitterMs', Math.max(50, lock.options.retryDelayMs / 2))] }),
    },
  };
}
