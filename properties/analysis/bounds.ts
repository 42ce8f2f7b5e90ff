/** Bounds that the scenario gives: latencies, time-outs, and the defaults of the liveness properties (microseconds). */
import type { Duration, Scenario } from '../../sim/scenario/schema.js';
import { lockServers } from './shards.js';

/**
 * How long a lock of several servers waits for one of them where no time-out is given, as the reference Redlock does.
 * Without any, two latencies would be the bound of a clean-up, and a library whose first EVALSHA is answered with NOSCRIPT
 * needs three. A lock of one server has nobody else to ask: it waits for as long as its key could live.
 */
const DEFAULT_TIMEOUT_MS = 50;

export interface Bounds {
  readonly longestLatencyUs: number;
  readonly commandTimeoutUs: number;
  readonly progressUs: number;
  readonly orphanUs: number;
  /** The same for a key that its own setter asked for again in vain: it waits for no answer any more. */
  readonly refusedUs: number;
  /** Infinity: there is no bound. */
  readonly settleUs: number;
}

// A campaign judges many histories of one scenario; the bounds of the last one are kept.
let lastScenario: Scenario | null = null;
let lastBounds: Bounds | null = null;

export function boundsOf(scenario: Scenario): Bounds {
  if (lastScenario === null || lastBounds === null || !alike(lastScenario, scenario)) {
    lastBounds = compute(scenario);
    lastScenario = scenario;
  }
  return lastBounds;
}

/** The scenarios of a campaign differ in their seeds and share the objects that the bounds come from. */
function alike(one: Scenario, other: Scenario): boolean {
  return (
    one.lock === other.lock &&
    one.bounds === other.bounds &&
    one.network === other.network &&
    one.servers === other.servers &&
    one.processes === other.processes &&
    one.overrides === other.overrides &&
    one.faults === other.faults
  );
}

function compute(scenario: Scenario): Bounds {
  const { lock, bounds } = scenario;
  const overrides = Object.values(scenario.overrides);
  const options = [lock.options, ...overrides.map((override) => override.lock?.options ?? {})];
  const ttlMs = Math.max(lock.ttlMs, ...overrides.map((override) => override.lock?.ttlMs ?? 0));
  const retryMs = Math.max(
    ...options.map((each) => numberOr(each.retryDelayMs, 0) + numberOr(each.retryJitterMs, 0)),
  );
  const retries = Math.max(...options.map((each) => retriesOf(each.retryCount)));
  const latencyMs = longestLatencyMs(scenario);
  const timeoutMs = commandTimeoutMs(scenario, options, ttlMs);
  return {
    longestLatencyUs: us(latencyMs),
    commandTimeoutUs: us(timeoutMs),
    progressUs: us(bounds.progressMs ?? ttlMs + 2 * retryMs + 10 * latencyMs),
    orphanUs: us(bounds.orphanMs ?? 2 * latencyMs + timeoutMs),
    // The refusal's way, and that of a clean-up that has to tell the server its script first.
    refusedUs: us(bounds.orphanMs ?? 4 * latencyMs),
    settleUs: us(
      bounds.settleMs ?? ttlMs + retries * (retryMs + timeoutMs) + lockServers(scenario) * timeoutMs,
    ),
  };
}

function longestLatencyMs(scenario: Scenario): number {
  let most = longest(scenario.network.latencyMs);
  for (const latency of Object.values(scenario.network.links)) most = Math.max(most, longest(latency));
  for (const override of Object.values(scenario.overrides)) {
    if (override.network?.latencyMs !== undefined) most = Math.max(most, longest(override.network.latencyMs));
  }
  for (const fault of scenario.faults)
    if (fault.do === 'slow') most = Math.max(most, longest(fault.latencyMs));
  return most;
}

/** The longest time-out given, the clients' for a command or the lock's own for a server; else the lock's default. */
function commandTimeoutMs(
  scenario: Scenario,
  options: readonly Record<string, unknown>[],
  ttlMs: number,
): number {
  const given: number[] = [];
  const clients = [
    scenario.processes.client,
    ...Object.values(scenario.overrides).map((override) => override.client),
  ];
  for (const client of clients)
    if (typeof client?.commandTimeoutMs === 'number') given.push(client.commandTimeoutMs);
  // A lock waits for no server longer than its key could live.
  for (const each of options)
    if (typeof each.serverTimeoutMs === 'number') given.push(Math.min(each.serverTimeoutMs, ttlMs));
  const otherwiseMs = lockServers(scenario) === 1 ? ttlMs : Math.min(DEFAULT_TIMEOUT_MS, ttlMs);
  const oneRoundMs = given.length > 0 ? Math.max(...given) : otherwiseMs;
  return goesRoundTwice(scenario) ? 2 * oneRoundMs : oneRoundMs;
}

/** A lock with tokens over several servers asks them for votes, and then to take the highest token. */
function goesRoundTwice(scenario: Scenario): boolean {
  return lockServers(scenario) > 1 && scenario.lock.name.endsWith('-fenced');
}

function longest(duration: Duration): number {
  return typeof duration === 'number' ? duration : duration[1];
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

/** -1 means without end: by its retries nothing ever has to settle. */
function retriesOf(retryCount: unknown): number {
  return retryCount === -1 ? Infinity : numberOr(retryCount, 0);
}

function us(ms: number): number {
  return Math.round(ms * 1000);
}
