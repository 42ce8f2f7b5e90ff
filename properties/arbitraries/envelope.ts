/**
 * The world as a lease lock assumes it, and no worse. The drift allowance d is the lock's whole margin: differences of rates, a
 * pause between a check and its use, and the way to the storage are all paid from it, so it is shared out between them.
 */
import { DISCIPLINES, type ScenarioInput } from '../../sim/scenario/schema.js';
import { HOLDER_MOMENTS, NEARLY_ALWAYS, type FaultNumbers } from './faults.js';
import { latencyMs, workloadOf, type ScenarioNumbers } from './numbers.js';

type FaultInput = NonNullable<ScenarioInput['faults']>[number];

/** What is settled before the envelope: lock, servers, processes. */
export interface Base {
  readonly lock: { readonly ttlMs: number; readonly options: { readonly driftFactor: number } };
  readonly servers: { readonly count: number };
  readonly processes: { readonly count: number };
}

/** Shares of d. Together below 1. */
const RATES = 0.3;
const PAUSES = 0.3;
const STORAGE = 0.2;
/** The least latency of a link is 1 to so many milliseconds, the greatest five times that: two ways fit in a time-out. */
const LATENCIES = 4;
/** What a redlock waits for a silent server. */
const SERVER_TIMEOUT_MS = 50;

/** d = T × driftFactor + 2 ms. */
export function allowanceMs({ lock }: Base): number {
  return lock.ttlMs * lock.options.driftFactor + 2;
}

/**
 * Network, clocks, workload and bounds within the assumptions.
 * @param asynchronous the acquire may take nearly all of the lease: holders must look before they use
 */
export function boundedSetting(
  numbers: ScenarioNumbers,
  base: Base,
  asynchronous: boolean,
): Partial<ScenarioInput> {
  const { ttlMs } = base.lock;
  const d = allowanceMs(base);
  const storageMs = Math.min(numbers.storageLatency, Math.floor(d * STORAGE));
  const latency = latencyMs({ ...numbers, latency: 1 + (numbers.latency % LATENCIES) });
  const longestMs = typeof latency === 'number' ? latency : latency[1];
  // A naive holder must be done before its key ends, whatever the acquire took of it.
  const drawn = DISCIPLINES[numbers.discipline]!;
  const discipline = asynchronous && drawn === 'naive' ? 'checks' : drawn;
  const mostWorkMs = discipline === 'naive' ? ttlMs / 5 : ttlMs * 2;
  const links: Record<string, number> = {};
  for (const process of names('p', base.processes.count)) {
    links[`${process}->storage`] = storageMs;
    links[`storage->${process}`] = storageMs;
  }
  return {
    network: { latencyMs: latency, links },
    clocks: boundedClocks(numbers, base),
    workload: workloadOf(numbers, ttlMs, mostWorkMs, discipline),
    bounds: {
      // Whoever extends, or sleeps past its ttl before it looks, is in the way for so long with good reason.
      progressMs: 4 * ttlMs + 2000,
      // Votes, the token, and both of their time-outs, before the clean-up leaves.
      orphanMs: Math.ceil(6 * longestMs + 2 * SERVER_TIMEOUT_MS + d),
      settleMs: ttlMs + 30 * (400 + 2 * SERVER_TIMEOUT_MS),
    },
  };
}

/** Rates within a share of the allowance of each other; clocks may be set to anything at the start. */
function boundedClocks(numbers: ScenarioNumbers, base: Base): NonNullable<ScenarioInput['clocks']> {
  const allowedPpm = (allowanceMs(base) / base.lock.ttlMs) * 1_000_000;
  const hosts = [...names('p', base.processes.count), ...names('redis-', base.servers.count)];
  const clocks = Object.fromEntries(
    hosts.map((host, index) => {
      const drawn = numbers.drifts[index] ?? 0;
      return [
        host,
        { offsetMs: drawn * 1000, driftPpm: Math.trunc((drawn / 100) * ((allowedPpm * RATES) / 2)) },
      ];
    }),
  );
  // What is within the allowance is the lock's own to allow for. (The index signature also covers this name.)
  return { driftBoundPpm: Math.floor(allowedPpm), ...clocks } as NonNullable<ScenarioInput['clocks']>;
}

/**
 * Faults within the assumptions; those that have no room there are left out.
 * @param asynchronous messages between processes and servers may be late or lost without limit
 */
export function boundedFaults(numbers: ScenarioNumbers, base: Base, asynchronous: boolean): FaultInput[] {
  const faults: FaultInput[] = [];
  const pauseMs = (allowanceMs(base) * PAUSES) / Math.max(1, numbers.faults.length);
  const downs = new Set<number>();
  const mayCrash = base.servers.count - (Math.floor(base.servers.count / 2) + 1);
  for (const fault of numbers.faults) {
    const made =
      asynchronous && fault.kind % 3 === 0
        ? networkFault(fault, base)
        : boundedFault(fault, base, pauseMs, downs, mayCrash);
    if (made !== null) faults.push(made);
  }
  return faults;
}

function boundedFault(
  fault: FaultNumbers,
  base: Base,
  pauseMs: number,
  downs: Set<number>,
  mayCrash: number,
): FaultInput | null {
  const { ttlMs } = base.lock;
  const process = `p${(fault.process % base.processes.count) + 1}`;
  const atMs = Math.round((ttlMs * fault.at) / 100);
  const event = HOLDER_MOMENTS[fault.moment % HOLDER_MOMENTS.length]!;
  const moment = fault.aimed ? { on: { event, process, nth: fault.nth, chance: NEARLY_ALWAYS } } : { atMs };
  if (fault.kind % 2 === 0) {
    const forMs = Math.floor((pauseMs * fault.duration) / 200);
    return forMs === 0 ? null : { ...moment, do: 'pause', host: process, forMs };
  }
  if (fault.side % 2 === 0) return { ...moment, do: 'crash', host: process };
  const server = fault.server % base.servers.count;
  if (downs.has(server) || downs.size >= mayCrash) return null;
  downs.add(server);
  const crash = { atMs, do: 'crash', host: `redis-${server + 1}` } as const;
  // Back after the longest lease, by the slowest clock.
  return fault.lasting ? crash : { ...crash, restartAfterMs: Math.ceil(ttlMs * 1.2) + 10 + fault.duration };
}

/** Messages between a process and a server are late, held, or lost with their connection. */
function networkFault(fault: FaultNumbers, base: Base): FaultInput {
  const { ttlMs } = base.lock;
  const from = `p${(fault.process % base.processes.count) + 1}`;
  const to = `redis-${(fault.server % base.servers.count) + 1}`;
  const atMs = Math.round((ttlMs * fault.at) / 100);
  const forMs = Math.round((ttlMs * fault.duration) / 100);
  switch (fault.moment % 5) {
    case 0:
      return { atMs, do: 'partition', from, to, oneWay: fault.oneWay, forMs };
    case 1:
      return fault.oneWay
        ? { atMs, do: 'hold', from, to, forMs }
        : { atMs, do: 'hold', from: to, to: from, forMs };
    case 2:
      return { atMs, do: 'reset', from, to };
    case 3:
      return { atMs, do: 'slow', from, to, latencyMs: Math.ceil(forMs / 4), forMs };
    default:
      return {
        on: {
          event: fault.oneWay ? 'sent' : 'replied',
          process: from,
          server: to,
          nth: fault.nth,
          chance: NEARLY_ALWAYS,
        },
        do: 'delay',
        byMs: forMs,
      };
  }
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}
