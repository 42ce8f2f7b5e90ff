/** A scenario compiled for running: everything that does not depend on the seed, in whole microseconds. */
import { HOST_PATTERN, type Scenario } from './scenario/schema.js';
import type { NetworkPlan } from './network/network.js';
import { LinkPlans } from './network/link-plans.js';
import type { DurationUs } from './network/link.js';
import type { Bytes } from './redis/keyspace.js';
import type { Persistence } from './redis/server.js';
import { encodeArgument } from './transport/direct/bytes.js';
import { durationUs, planProcess, toUs, type ProcessPlan } from './workload/plan.js';

export interface ClockPlan {
  readonly offsetUs: number;
  readonly ppm: number;
}

export interface Plan {
  readonly scenario: Scenario;
  readonly processes: readonly ProcessPlan[];
  readonly servers: readonly string[];
  readonly version: readonly [number, number];
  readonly persistence: Persistence;
  readonly replicas: boolean;
  readonly scripts: readonly Bytes[];
  readonly replicationUs: DurationUs;
  readonly sharedClient: boolean;
  readonly network: NetworkPlan;
  readonly fenced: boolean;
  readonly virtualUs: number;
  readonly events: number;
  readonly eventsPerMs: number;
  clock(host: string): ClockPlan;
}

const TRUE_CLOCK: ClockPlan = { offsetUs: 0, ppm: 0 };

export function compile(scenario: Scenario): Plan {
  const names = Array.from({ length: scenario.processes.count }, (_, index) => `p${index + 1}`);
  const [major, minor] = scenario.servers.version.split('.').map(Number) as [number, number];
  const clocks = new Map<string, ClockPlan>();
  for (const [host, clock] of Object.entries(scenario.clocks)) {
    if (!HOST_PATTERN.test(host) || typeof clock === 'number') continue;
    clocks.set(host, { offsetUs: toUs(clock.offsetMs), ppm: clock.driftPpm });
  }
  return {
    scenario,
    processes: names.map((name) => planProcess(scenario, name)),
    servers: Array.from({ length: scenario.servers.count }, (_, index) => `redis-${index + 1}`),
    version: [major, minor],
    persistence: scenario.servers.persistence,
    replicas: scenario.servers.replicas > 0,
    scripts: scenario.servers.scripts.map(encodeArgument),
    replicationUs: durationUs(scenario.servers.replicationMs),
    sharedClient: scenario.processes.sharedClient,
    network: planNetwork(scenario),
    fenced: scenario.resource.fenced,
    virtualUs: toUs(scenario.limits.virtualMs),
    events: scenario.limits.events,
    eventsPerMs: scenario.limits.eventsPerMs,
    clock: (host) => clocks.get(host) ?? TRUE_CLOCK,
  };
}

function planNetwork({ network, overrides }: Scenario): NetworkPlan {
  const hosts = new Map<string, DurationUs>();
  for (const [host, override] of Object.entries(overrides)) {
    const latencyMs = override.network?.latencyMs;
    if (latencyMs !== undefined) hosts.set(host, durationUs(latencyMs));
  }
  const links = new Map(Object.entries(network.links).map(([link, latency]) => [link, durationUs(latency)]));
  return {
    links: new LinkPlans(durationUs(network.latencyMs), links, hosts),
    loss: network.loss,
    retransmitUs: toUs(network.retransmitMs),
    giveUpUs: toUs(network.giveUpMs),
  };
}
