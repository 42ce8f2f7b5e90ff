/** The Sentinels of a run, which have watched its servers for long when it begins. */
import type { CommandServer } from '../request.js';
import type { Shard } from '../shard.js';
import { addressText } from './instance.js';
import { redisAt, sentinelAt, type Watch } from './master.js';
import type { SentinelServer, SentinelSetting } from './server.js';

/** @param create a Sentinel of this name that finds servers in the directory given */
export function formSentinels(
  names: readonly string[],
  shards: readonly Shard[],
  watch: Omit<Watch, 'name'>,
  create: (name: string, directory: SentinelSetting['directory']) => SentinelServer,
): SentinelServer[] {
  const servers = new Map<string, CommandServer>();
  for (const { nodes } of shards)
    for (const node of nodes) servers.set(addressText(redisAt(node.name)), node);
  const sentinels = names.map((name) => create(name, (address) => servers.get(addressText(address))));
  for (const sentinel of sentinels) servers.set(addressText(sentinelAt(sentinel.name)), sentinel);
  const topologies = shards.map(({ name, nodes }) => ({
    watch: { name, ...watch },
    replicas: nodes.slice(1).map((node) => node.name),
  }));
  for (const sentinel of sentinels) sentinel.join(topologies, sentinels);
  for (const sentinel of sentinels) sentinel.settleIn();
  return sentinels;
}
