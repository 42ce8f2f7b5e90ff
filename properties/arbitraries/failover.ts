/**
 * Scenarios whose servers fail over: masters and replicas with Sentinels over them, or a Redis Cluster, and faults that strike the
 * nodes: cut off from some of the others, crashed, paused, with a clock that jumps.
 */
import * as fc from 'fast-check';
import { nodeNames } from '../../sim/scenario/hosts.js';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import type { DrawnKind } from './faults.js';
import { scenarioArbitrary, type ScenarioShape } from './scenario.js';

export type Failover = 'operator' | 'sentinels' | 'cluster';

/** What strikes a node; the numbers are indexes, bits and shares of what there is. */
interface NodeFault {
  readonly kind: number;
  readonly node: number;
  /** Which of the other hosts it is cut off from. */
  readonly others: number;
  readonly atMs: number;
  readonly forMs: number;
}

const nodeFault: fc.Arbitrary<NodeFault> = fc.record({
  kind: fc.nat({ max: 9 }),
  node: fc.nat({ max: 8 }),
  others: fc.nat({ max: 2 ** 14 - 1 }),
  atMs: fc.nat({ max: 3000 }),
  forMs: fc.integer({ min: 200, max: 3000 }),
});

const PERSISTENCE = ['none', 'rdb', 'aof-always', 'aof-everysec'] as const;

export function failoverArbitrary(
  shape: Omit<ScenarioShape, 'envelope'>,
  failover: Failover,
): fc.Arbitrary<ScenarioInput> {
  return fc
    .tuple(
      scenarioArbitrary({ ...shape, envelope: 'free' }),
      fc.integer({ min: 1, max: 2 }),
      fc.nat({ max: 3 }),
      fc.integer({ min: 300, max: 1000 }),
      fc.array(nodeFault, { minLength: 1, maxLength: 3 }),
    )
    .map(([base, replicas, kept, patienceMs, strikes]) => {
      const count = failover === 'cluster' ? 3 : base.servers!.count!;
      const hosts = hostsOf(count, replicas, failover);
      // Behind the backs of Sentinels, or of a cluster, nobody promotes.
      const drawn = (base.faults ?? []).filter((fault) => failover === 'operator' || fault.do !== 'promote');
      const kinds = shape.kinds ?? ['partition', 'crash', 'step-clock', 'promote', 'pause'];
      const struck = strikes.map((strike) => faultOf(strike, hosts, failover, kinds));
      const faults = [...drawn, ...struck.filter((fault) => fault !== null)];
      const servers = { ...base.servers, count, replicas, persistence: PERSISTENCE[kept]! };
      return { ...base, servers: { ...servers, ...watch(failover, patienceMs) }, faults } as ScenarioInput;
    });
}

function watch(failover: Failover, patienceMs: number): object {
  switch (failover) {
    case 'operator':
      return {};
    case 'sentinels':
      return { sentinels: { count: 3, quorum: 2, downAfterMs: patienceMs, failoverTimeoutMs: 3000 } };
    case 'cluster':
      return { cluster: { nodeTimeoutMs: patienceMs } };
  }
}

interface Hosts {
  readonly nodes: readonly string[];
  readonly all: readonly string[];
  readonly servers: number;
}

function hostsOf(count: number, replicas: number, failover: Failover): Hosts {
  const nodes = Array.from({ length: count }, (_, server) =>
    nodeNames(`redis-${server + 1}`, replicas),
  ).flat();
  const sentinels = failover === 'sentinels' ? ['sentinel-1', 'sentinel-2', 'sentinel-3'] : [];
  return { nodes, all: [...nodes, ...sentinels, 'p1', 'p2'], servers: count };
}

/** Kinds of faults that strike nodes, and out of nine how many are of each. */
const SHARES: readonly (readonly [DrawnKind, number])[] = [
  ['partition', 5],
  ['crash', 2],
  ['step-clock', 1],
  ['promote', 1],
  ['pause', 1],
];

/** Null where nothing of the kinds asked for can strike. */
function faultOf(
  strike: NodeFault,
  { nodes, all, servers }: Hosts,
  failover: Failover,
  kinds: readonly DrawnKind[],
): object | null {
  const { atMs, forMs } = strike;
  const host = nodes[strike.node % nodes.length]!;
  const others = all.filter((other, index) => other !== host && ((strike.others >> index) & 1) === 1);
  const possible = SHARES.filter(
    ([kind]) =>
      kinds.includes(kind) &&
      (kind !== 'partition' || others.length > 0) &&
      (kind !== 'promote' || failover === 'operator'),
  ).flatMap(([kind, share]) => Array.from({ length: share }, () => kind));
  switch (possible[strike.kind % possible.length]) {
    case 'partition':
      return { atMs, do: 'partition', from: [host], to: others, forMs };
    case 'crash':
      return { atMs, do: 'crash', host, restartAfterMs: forMs };
    case 'step-clock':
      return { atMs, do: 'step-clock', host, byMs: forMs - 1600 };
    case 'promote':
      return { atMs, do: 'promote', host: `redis-${(strike.node % servers) + 1}` };
    case 'pause':
      return { atMs, do: 'pause', host, forMs };
    default:
      return null;
  }
}
