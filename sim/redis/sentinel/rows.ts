/** What SENTINEL MASTERS, REPLICAS and SENTINELS show of an instance: names and values in turn. */
import { MapReply, type Reply } from '../keyspace.js';
import type { DataInstance, Instance } from './instance.js';
import type { Master, OtherSentinel, Replica } from './master.js';
import { PARALLEL_SYNCS } from './timing.js';

type Fields = (readonly [string, string | number])[];

export function masterRow(master: Master): Reply {
  return row([
    ...common(master),
    ...ofInfo(master),
    ['config-epoch', master.configEpoch],
    ['num-slaves', master.replicas.size],
    ['num-other-sentinels', master.sentinels.size],
    ['quorum', master.quorum],
    ['failover-timeout', master.failoverTimeoutMs],
    ['parallel-syncs', PARALLEL_SYNCS],
  ]);
}

export function replicaRow(replica: Replica): Reply {
  return row([
    ...common(replica),
    ...ofInfo(replica),
    ['master-link-down-time', replica.masterLinkDownMs],
    ['master-link-status', replica.masterLinkUp ? 'ok' : 'err'],
    ['master-host', replica.masterHost ?? '?'],
    ['master-port', replica.masterPort],
    ['slave-priority', replica.priority],
    ['slave-repl-offset', replica.offset],
    ['replica-announced', 1],
  ]);
}

export function sentinelRow(other: OtherSentinel): Reply {
  return row([
    ...common(other),
    ['last-hello-message', other.sentinel.nowMs - other.helloMs],
    ['voted-leader', other.leader ?? '?'],
    ['voted-leader-epoch', other.leaderEpoch],
  ]);
}

function common(instance: Instance): Fields {
  const { link, master, sentinel } = instance;
  const { nowMs } = sentinel;
  return [
    ['name', instance.name],
    ['ip', instance.address.host],
    ['port', instance.address.port],
    ['runid', instance.runId ?? ''],
    ['flags', instance.flags().join(',')],
    ['link-pending-commands', link.pending],
    ['link-refcount', instance.kind === 'sentinel' ? sentinel.masters.size : 1],
    ['last-ping-sent', link.pingedMs === 0 ? 0 : nowMs - link.pingedMs],
    ['last-ok-ping-reply', nowMs - link.availableMs],
    ['last-ping-reply', nowMs - link.answeredMs],
    ...(instance.subjectivelyDown ? ([['s-down-time', nowMs - instance.downSinceMs]] as const) : []),
    ['down-after-milliseconds', master.downAfterMs],
  ];
}

function ofInfo(instance: DataInstance): Fields {
  const { nowMs } = instance.sentinel;
  return [
    ['info-refresh', instance.infoMs === 0 ? 0 : nowMs - instance.infoMs],
    ['role-reported', instance.role],
    ['role-reported-time', nowMs - instance.roleSinceMs],
  ];
}

function row(fields: Fields): Reply {
  return new MapReply(fields.flatMap(([name, value]) => [name, String(value)]));
}
