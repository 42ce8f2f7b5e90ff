/** A failover, from the wait for the votes to the new configuration: one step a round of the timer. */
import { askOthers, leaderOf } from './election.js';
import type { Info } from './info.js';
import { sameAddress, type Address, type DataInstance } from './instance.js';
import type { Master, Replica } from './master.js';
import { selectReplica } from './select.js';
import {
  ELECTION_TIMEOUT_MS,
  HELLO_PERIOD_MS,
  PARALLEL_SYNCS,
  RECONF_TIMEOUT_MS,
  WRONG_ROLE_MS,
} from './timing.js';

/** Begins a failover where one is due and none has begun lately; and asks for votes at once. */
export function startIfNeeded(master: Master): void {
  const { sentinel } = master;
  if (!master.objectivelyDown || master.failingOver) return;
  if (sentinel.nowMs - master.failoverStartMs < 2 * master.failoverTimeoutMs) return;
  start(master);
  askOthers(master, true);
}

/** @param forced an operator wants it: this Sentinel leads without an election */
export function start(master: Master, forced = false): void {
  const { sentinel } = master;
  master.enter('wait-start');
  master.forced = forced;
  master.failoverEpoch = sentinel.nextEpoch();
  sentinel.event('+try-failover', master);
  master.failoverStartMs = sentinel.nowMs + sentinel.desynchronisation();
}

export function advance(master: Master): void {
  switch (master.state) {
    case 'wait-start':
      waitForElection(master);
      break;
    case 'select-slave':
      select(master);
      break;
    case 'send-slaveof-noone':
      promote(master);
      break;
    case 'wait-promotion':
      if (hasWaitedTooLong(master)) master.abort('slave-timeout');
      break;
    case 'reconf-slaves':
      leadOthers(master);
      break;
    case 'none':
    case 'update-config':
  }
}

function hasWaitedTooLong(master: Master): boolean {
  return master.sentinel.nowMs - master.stateSinceMs > master.failoverTimeoutMs;
}

function waitForElection(master: Master): void {
  const { sentinel } = master;
  const elected = leaderOf(sentinel, master, master.failoverEpoch) === sentinel.runId;
  if (!elected && !master.forced) {
    const patienceMs = Math.min(ELECTION_TIMEOUT_MS, master.failoverTimeoutMs);
    if (sentinel.nowMs - master.failoverStartMs > patienceMs) master.abort('not-elected');
    return;
  }
  sentinel.event('+elected-leader', master);
  master.enter('select-slave');
}

function select(master: Master): void {
  const { sentinel } = master;
  const replica = selectReplica(master);
  if (replica === null) {
    master.abort('no-good-slave');
    return;
  }
  sentinel.event('+selected-slave', replica);
  replica.isPromoted = true;
  master.promoted = replica;
  master.enter('send-slaveof-noone');
}

function promote(master: Master): void {
  const { link } = master.promoted!;
  if (link.disconnected) {
    if (hasWaitedTooLong(master)) master.abort('slave-timeout');
    return;
  }
  if (sendReplicaOf(master.promoted!, null)) master.enter('wait-promotion');
}

/** Tells a server whom to follow (null: nobody), and lets its clients find out by breaking their connections. */
function sendReplicaOf({ link }: DataInstance, address: Address | null): boolean {
  if (link.commands === null) return false;
  const [host, port] = address === null ? ['NO', 'ONE'] : [address.host, String(address.port)];
  link.commands.sendTogether([
    ['MULTI'],
    ['SLAVEOF', host, port],
    ['CONFIG', 'REWRITE'],
    ['CLIENT', 'KILL', 'TYPE', 'normal'],
    ['CLIENT', 'KILL', 'TYPE', 'pubsub'],
    ['EXEC'],
  ]);
  return true;
}

/** The other replicas follow the promoted one, so many at a time. */
function leadOthers(master: Master): void {
  const { sentinel } = master;
  const promoted = master.promoted!;
  let underWay = 0;
  for (const { reconfiguration } of master.replicas.values())
    if (reconfiguration === 'sent' || reconfiguration === 'in-progress') underWay++;
  for (const replica of master.replicas.values()) {
    if (underWay >= PARALLEL_SYNCS) break;
    if (replica.isPromoted || replica.reconfiguration === 'done') continue;
    if (replica.reconfiguration === 'sent' && sentinel.nowMs - replica.reconfiguredMs > RECONF_TIMEOUT_MS) {
      sentinel.event('-slave-reconf-sent-timeout', replica);
      replica.reconfiguration = 'done';
      continue;
    }
    if (replica.reconfiguration !== 'none' || replica.link.disconnected) continue;
    if (!sendReplicaOf(replica, promoted.address)) continue;
    replica.reconfiguration = 'sent';
    replica.reconfiguredMs = sentinel.nowMs;
    sentinel.event('+slave-reconf-sent', replica);
    underWay++;
  }
  endIfDone(master);
}

function endIfDone(master: Master): void {
  const { sentinel } = master;
  const promoted = master.promoted!;
  if (promoted.subjectivelyDown) return;
  const late = hasWaitedTooLong(master);
  const open = [...master.replicas.values()].filter(
    (replica) => !replica.isPromoted && replica.reconfiguration !== 'done' && !replica.subjectivelyDown,
  );
  if (late) sentinel.event('+failover-end-for-timeout', master);
  if (open.length > 0 && !late) return;
  sentinel.event('+failover-end', master);
  master.enter('update-config');
  if (!late) return;
  for (const replica of master.replicas.values()) {
    if (replica.isPromoted || replica.reconfiguration === 'done' || replica.reconfiguration === 'sent')
      continue;
    if (!sendReplicaOf(replica, promoted.address)) continue;
    sentinel.event('+slave-reconf-sent-be', replica);
    replica.reconfiguration = 'sent';
  }
}

/** What an INFO of a replica means for the failover, or for its configuration. */
export function replicaInformed(replica: Replica, info: Info): void {
  const { master } = replica;
  if (info.role === 'master') {
    if (replica.isPromoted && master.state === 'wait-promotion') promoted(master, replica);
    else demote(replica);
    return;
  }
  const { sentinel } = replica;
  const { reconfiguration } = replica;
  if (
    !replica.follows(master.address) &&
    !master.failingOver &&
    master.looksSane &&
    replica.hasBeenUpFor(master.failoverTimeoutMs) &&
    sentinel.nowMs - replica.configSinceMs > master.failoverTimeoutMs &&
    sendReplicaOf(replica, master.address)
  )
    sentinel.event('+fix-slave-config', replica);
  if (reconfiguration === 'sent' && master.promoted !== null && replica.follows(master.promoted.address)) {
    replica.reconfiguration = 'in-progress';
    sentinel.event('+slave-reconf-inprog', replica);
  }
  if (replica.reconfiguration === 'in-progress' && replica.masterLinkUp) {
    replica.reconfiguration = 'done';
    sentinel.event('+slave-reconf-done', replica);
  }
}

function promoted(master: Master, replica: Replica): void {
  const { sentinel } = master;
  master.configEpoch = master.failoverEpoch;
  sentinel.event('+promoted-slave', replica);
  master.enter('reconf-slaves');
  // The others shall hear of it at once.
  for (const each of [master, ...master.replicas.values(), ...master.sentinels.values()])
    each.helloSentMs = Math.min(each.helloSentMs, sentinel.nowMs - HELLO_PERIOD_MS - 1);
}

/** An old master that came back, or a replica that somebody promoted: it follows the master again. */
function demote(replica: Replica): void {
  const { master, sentinel } = replica;
  if (replica.isPromoted || !master.looksSane || !replica.hasBeenUpFor(WRONG_ROLE_MS)) return;
  if (sentinel.nowMs - replica.roleSinceMs <= WRONG_ROLE_MS) return;
  if (sameAddress(replica.address, master.address)) return;
  if (sendReplicaOf(replica, master.address)) sentinel.event('+convert-to-slave', replica);
}
