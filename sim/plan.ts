/** A scenario compiled for running: everything that does not depend on the seed, in whole microseconds. */
import { nodeNames } from './scenario/hosts.js';
import { HOST_PATTERN, type Scenario } from './scenario/schema.js';
import type { NetworkPlan } from './network/network.js';
import { LinkPlans } from './network/link-plans.js';
import type { DurationUs } from './network/link.js';
import type { Bytes, ServerMode } from './redis/keyspace.js';
import { encodeArgument } from './transport/direct/bytes.js';
import { durationUs, planProcess, toUs, type ProcessPlan } from './workload/plan.js';

export interface ClockPlan {
  readonly offsetUs: number;
  readonly ppm: number;
}

/** One server of the lock. */
export interface ServerPlan {
  readonly name: string;
  /** Of the first master, then of its replicas. */
  readonly nodes: readonly string[];
}

export interface Plan {
  readonly scenario: Scenario;
  readonly processes: readonly ProcessPlan[];
  readonly servers: readonly ServerPlan[];
  readonly flavour: ServerMode['flavour'];
  readonly version: readonly [number, number];
  readonly scripts: readonly Bytes[];
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
  const { version } = scenario.servers;
  const flavour = version.startsWith('valkey-') ? 'valkey' : 'redis';
  const [major, minor] = version.replace('valkey-', '').split('.').map(Number) as [number, number];
  const clocks = new Map<string, ClockPlan>();
  for (const [host, clock] of Object.entries(scenario.clocks)) {
    if (!HOST_PATTERN.test(host) || typeof clock === 'number') continue;
    clocks.set(host, { offsetUs: toUs(clock.offsetMs), ppm: clock.driftPpm });
  }
  return {
    scenario,
    processes: names.map((name) => planProcess(scenario, name)),
    servers: planServers(scenario.servers),
    flavour,
    version: [major, minor],
    scripts: scenario.servers.scripts.map(encodeArgument),
    sharedClient: scenario.processes.sharedClient,
    network: planNetwork(scenario),
    fenced: scenario.resource.fenced,
    virtualUs: toUs(scenario.limits.virtualMs),
    events: scenario.limits.events,
    eventsPerMs: scenario.limits.eventsPerMs,
    clock: (host) => clocks.get(host) ?? TRUE_CLOCK,
  };
}

function planServers({ count, replicas }: Scenario['servers']): readonly ServerPlan[] {
  const names = Array.from({ length: count }, (_, index) => `redis-${index + 1}`);
  return names.map((name) => ({ name, nodes: nodeNames(name, replicas) }));
}

function planNetwork({ network, overrides, servers }: Scenario): NetworkPlan {
  const hosts = new Map<string, DurationUs>();
  for (const [host, override] of Object.entries(overrides)) {
    const latencyMs = override.network?.latencyMs;
    if (latencyMs !== undefined) hosts.set(host, durationUs(latencyMs));
  }
  const links = replicationLinks(servers);
  for (const [link, latency] of Object.entries(network.links)) links.set(link, durationUs(latency));
  return {
    links: new LinkPlans(durationUs(network.latencyMs), links, hosts),
    loss: network.loss,
    retransmitUs: toUs(network.retransmitMs),
    giveUpUs: toUs(network.giveUpMs),
  };
}

/** The nodes of one server stand closer, or further apart, than others. */
function replicationLinks({ count, replicas, replicationMs }: Scenario['servers']): Map<string, DurationUs> {
  const links = new Map<string, DurationUs>();
  if (replicas === 0) return links;
  const latencyUs = durationUs(replicationMs);
  for (let server = 1; server <= count; server++) {
    const nodes = nodeNames(`redis-${server}`, replicas);
    for (const from of nodes) for (const to of nodes) if (from !== to) links.set(`${from}->${to}`, latencyUs);
  }
  return links;
}
