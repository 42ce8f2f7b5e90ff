/** The texts and lists in which CLUSTER INFO, NODES, SLOTS and SHARDS show a node's view, as Redis 7.0 forms them. */
import { MapReply, type Reply } from '../keyspace.js';
import type { Member } from './member.js';
import type { BusType } from './messages.js';
import type { ClusterNode } from './node.js';
import { slotCount, type SlotRange } from './slots.js';

/** Of every server, for clients. */
export const PORT = 6379;
const BUS_PORT = PORT + 10_000;
/** In the order in which CLUSTER INFO counts them. */
const TYPES: readonly BusType[] = [
  'ping',
  'pong',
  'fail',
  'publish',
  'auth-req',
  'auth-ack',
  'update',
  'mfstart',
];

export function infoText({ view, health, sent, received }: ClusterNode): string {
  let [assigned, suspected, failed] = [0, 0, 0];
  for (const [range, owner] of view.owners.entries()) {
    if (owner === null) continue;
    const count = slotCount(view.ranges[range]!);
    assigned += count;
    if (owner.standing === 'suspected') suspected += count;
    if (owner.standing === 'failed') failed += count;
  }
  const lines = [
    `cluster_state:${health.ok ? 'ok' : 'fail'}`,
    `cluster_slots_assigned:${assigned}`,
    `cluster_slots_ok:${assigned - suspected - failed}`,
    `cluster_slots_pfail:${suspected}`,
    `cluster_slots_fail:${failed}`,
    `cluster_known_nodes:${view.members.length}`,
    `cluster_size:${view.size}`,
    `cluster_current_epoch:${view.currentEpoch}`,
    `cluster_my_epoch:${view.lead.configEpoch}`,
    ...counted(sent, 'sent'),
    ...counted(received, 'received'),
    'total_cluster_links_buffer_limit_exceeded:0',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

function counted(counts: ReadonlyMap<BusType, number>, way: string): string[] {
  let total = 0;
  const lines: string[] = [];
  for (const type of TYPES) {
    const count = counts.get(type);
    if (count === undefined) continue;
    total += count;
    lines.push(`cluster_stats_messages_${type}_${way}:${count}`);
  }
  return [...lines, `cluster_stats_messages_${way}:${total}`];
}

export function nodesText(node: ClusterNode): string {
  return node.view.members.map((member) => `${nodeLine(node, member)}\n`).join('');
}

function nodeLine({ view }: ClusterNode, member: Member): string {
  const { id, name, master, standing, pingSentMs, pongMs, link } = member;
  const flags = [
    ...(member === view.self ? ['myself'] : []),
    master === null ? 'master' : 'slave',
    ...(standing === 'suspected' ? ['fail?'] : standing === 'failed' ? ['fail'] : []),
  ];
  const connected = member === view.self || link !== null;
  return [
    id,
    `${name}:${PORT}@${BUS_PORT}`,
    flags.join(','),
    master?.id ?? '-',
    pingSentMs,
    pongMs,
    (master ?? member).configEpoch,
    connected ? 'connected' : 'disconnected',
    ...view.rangesOf(member).map((range) => rangeText(view.ranges[range]!)),
  ].join(' ');
}

function rangeText({ first, last }: SlotRange): string {
  return first === last ? String(first) : `${first}-${last}`;
}

/** A replica that was never in sync with its master, or failed, is not shown to clients. */
function isAvailable(member: Member): boolean {
  return member.ready && member.standing !== 'failed';
}

export function slotsReply({ view }: ClusterNode): Reply {
  const entries: Reply[] = [];
  for (const [range, owner] of view.owners.entries()) {
    if (owner === null) continue;
    const { first, last } = view.ranges[range]!;
    const nodes = [owner, ...view.replicasOf(owner).filter(isAvailable)];
    entries.push([first, last, ...nodes.map(({ name, id }): Reply => [name, PORT, id, new MapReply([])])]);
  }
  return entries;
}

export function shardsReply(node: ClusterNode): Reply {
  const { view } = node;
  return view.members
    .filter(({ master }) => master === null)
    .map((master) => {
      const slots = view.rangesOf(master).flatMap((range) => {
        const { first, last } = view.ranges[range]!;
        return [first, last];
      });
      const nodes = [master, ...view.replicasOf(master)].map((member) => shardNode(node, member));
      return new MapReply(['slots', slots, 'nodes', nodes]);
    });
}

function shardNode({ view, server }: ClusterNode, member: Member): Reply {
  const { id, name, master, standing, offset } = member;
  const health = standing === 'failed' ? 'fail' : member.ready ? 'online' : 'loading';
  return new MapReply([
    'id',
    id,
    'port',
    PORT,
    'ip',
    name,
    'endpoint',
    name,
    'role',
    master === null ? 'master' : 'replica',
    'replication-offset',
    member === view.self ? server.replication.offset : offset,
    'health',
    health,
  ]);
}
