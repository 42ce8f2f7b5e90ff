/** A Redis Cluster that has been running: every server is a node that knows all others and who serves what. */
import type { Streams, Stream } from '../../kernel/random.js';
import type { Shard } from '../shard.js';
import { Member } from './member.js';
import { ClusterNode, type ClusterSetting } from './node.js';
import { divideSlots } from './slots.js';
import { View } from './view.js';

/** Makes the servers of these shards the nodes of one cluster. The shards share the slots evenly. Call at time 0. */
export function formCluster(shards: readonly Shard[], setting: ClusterSetting, streams: Streams): void {
  const masters = shards.map(({ serving }) => serving);
  const replicas = shards.flatMap(({ nodes, serving }) => nodes.filter((node) => node !== serving));
  const servers = [...masters, ...replicas];
  const ranges = divideSlots(shards.length);
  const opened = servers.map((server) => streams.open(server.name, 'cluster'));
  const ids = opened.map(nodeId);
  for (const [place, server] of servers.entries()) {
    const members = servers.map((each, index) => new Member(each, ids[index]!, index));
    for (const member of members) {
      const { serving } = member.server.shard;
      if (member.server !== serving) follow(member, members[servers.indexOf(serving)]!);
    }
    const owners = members.slice(0, masters.length);
    const view = new View(ranges, members, members[place]!, owners);
    server.mode.cluster = true;
    server.cluster = new ClusterNode(server, view, setting, opened[place]!);
  }
  for (const server of servers) server.cluster!.start();
}

function follow(member: Member, master: Member): void {
  member.master = master;
  member.configEpoch = master.configEpoch;
}

function nodeId(stream: Stream): string {
  let id = '';
  while (id.length < 40) id += stream.uint32().toString(16).padStart(8, '0');
  return id;
}
