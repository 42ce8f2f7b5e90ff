/** ROLE and the section `replication` of INFO. */
import type { Reply } from '../keyspace.js';
import { sha1Hex } from '../lua/sha1.js';
import { BACKLOG_BYTES } from './backlog.js';
import type { Follower } from './followers.js';
import type { ReplicaLink } from './replica-link.js';
import type { Replication } from './replication.js';

/** Every server listens here. */
export const PORT = 6379;
const NO_HISTORY = '0'.repeat(40);

/** The name of a history as Redis writes it. */
export function historyId(replid: string | null): string {
  return replid === null ? NO_HISTORY : sha1Hex(replid);
}

export function roleOf({ link, offset, followers }: Replication): Reply {
  if (link !== null) {
    return ['slave', link.masterName, PORT, link.state, link.state === 'connected' ? offset : -1];
  }
  const online = followers.list.filter(({ state }) => state === 'online');
  return [
    'master',
    offset,
    online.map(({ channel, acknowledged }) => [channel.client.host.name, String(PORT), String(acknowledged)]),
  ];
}

export function infoOf(replication: Replication): readonly string[] {
  const { link, followers, settings, backlog, nowS } = replication;
  const lines = [`role:${link === null ? 'master' : 'slave'}`];
  if (link !== null) lines.push(...linkLines(replication, link));
  lines.push(`connected_slaves:${followers.list.length}`);
  if (settings.minReplicas > 0 && settings.maxLagS > 0)
    lines.push(`min_slaves_good_slaves:${followers.good(settings.maxLagS)}`);
  for (const [index, follower] of followers.list.entries()) lines.push(followerLine(index, follower, nowS));
  lines.push(
    'master_failover_state:no-failover',
    `master_replid:${historyId(replication.replid)}`,
    `master_replid2:${historyId(replication.replid2)}`,
    `master_repl_offset:${replication.offset}`,
    `second_repl_offset:${replication.secondOffset}`,
    `repl_backlog_active:${backlog === null ? 0 : 1}`,
    `repl_backlog_size:${BACKLOG_BYTES}`,
    `repl_backlog_first_byte_offset:${backlog === null ? 0 : backlog.oldest}`,
    `repl_backlog_histlen:${backlog === null ? 0 : backlog.length}`,
  );
  return lines;
}

function linkLines({ offset, settings, nowS }: Replication, link: ReplicaLink): readonly string[] {
  const connected = link.state === 'connected';
  return [
    `master_host:${link.masterName}`,
    `master_port:${PORT}`,
    `master_link_status:${connected ? 'up' : 'down'}`,
    `master_last_io_seconds_ago:${connected ? nowS - link.lastHeardS : -1}`,
    `master_sync_in_progress:${link.state === 'sync' ? 1 : 0}`,
    `slave_read_repl_offset:${offset}`,
    `slave_repl_offset:${offset}`,
    ...(connected
      ? []
      : [`master_link_down_since_seconds:${link.downSinceS === null ? -1 : nowS - link.downSinceS}`]),
    `slave_priority:${settings.priority}`,
    'slave_read_only:1',
    'replica_announced:1',
  ];
}

function followerLine(
  index: number,
  { channel, state, acknowledged, heardS }: Follower,
  nowS: number,
): string {
  const lag = state === 'online' ? nowS - heardS : 0;
  return `slave${index}:ip=${channel.client.host.name},port=${PORT},state=${state},offset=${acknowledged},lag=${lag}`;
}
