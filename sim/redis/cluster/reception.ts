/** What a node learns from a message of another one. */
import type { Member } from './member.js';
import type { BusMessage, Gossip } from './messages.js';
import type { ClusterNode } from './node.js';

/** Hearsay about a time this far ahead of the own clock is not believed. */
const CLOCK_TOLERANCE_MS = 500;

export function received(node: ClusterNode, message: BusMessage): void {
  const { view, nowMs, manual } = node;
  const { header, content } = message;
  const sender = view.members[header.sender]!;
  sender.heardMs = nowMs;
  view.currentEpoch = Math.max(view.currentEpoch, header.currentEpoch);
  sender.configEpoch = Math.max(sender.configEpoch, header.configEpoch);
  sender.offset = header.offset;
  sender.ready = header.ready;
  manual.heard(sender, header);
  switch (content.type) {
    case 'pong':
      sender.pongMs = nowMs;
      sender.pingSentMs = 0;
      if (node.failures.answered(sender, nowMs)) node.health.update(nowMs);
      learn(node, sender, message, content.gossip);
      break;
    case 'ping':
      learn(node, sender, message, content.gossip);
      break;
    case 'fail':
      failed(node, view.members[content.node]!);
      break;
    case 'update':
      updated(node, view.members[content.node]!, content.configEpoch, content.ranges);
      break;
    case 'auth-req':
      if (node.ballot.cast(sender, header, content.manual, nowMs)) node.send(sender, { type: 'auth-ack' });
      break;
    case 'auth-ack':
      node.election.voted(sender, message);
      break;
    case 'mfstart':
      manual.begin(sender);
      break;
    case 'publish':
      node.deliver(content.channel, content.message);
  }
}

/** A PING or PONG: the sender's role, its slots, its epoch, and what it tells of others. */
function learn(node: ClusterNode, sender: Member, message: BusMessage, gossip: readonly Gossip[]): void {
  const { view } = node;
  const { header } = message;
  if (header.master === null) sender.master = null;
  else view.demote(sender, view.members[header.master]!);
  if (sender.master === null) claimed(node, sender, header.configEpoch, header.ranges);
  contradict(node, sender, message);
  followOnward(node);
  if (sender.master === null && view.self.master === null) resolveCollision(node, sender);
  for (const each of gossip) hearsay(node, sender, each);
}

function claimed(node: ClusterNode, claimant: Member, epoch: number, ranges: readonly number[]): void {
  const { view } = node;
  const before = [...view.owners];
  if (view.claim(claimant, epoch, ranges)) node.follow(claimant);
  if (before.some((owner, range) => owner !== view.owners[range])) node.health.update(node.nowMs);
}

/** Who claims slots by an epoch that is out of date hears who has them. */
function contradict(node: ClusterNode, sender: Member, { header }: BusMessage): void {
  const { view } = node;
  const better = view.better(sender.master ?? sender, header.configEpoch, header.ranges);
  if (better === null) return;
  const { index, configEpoch } = better;
  node.send(sender, { type: 'update', node: index, configEpoch, ranges: view.rangesOf(better) });
}

/** A replica whose master has become a replica follows that one's master. */
function followOnward(node: ClusterNode): void {
  const { self } = node.view;
  const onward = self.master?.master ?? null;
  if (onward !== null && onward !== self && onward.master === null) node.follow(onward);
}

/** Two masters with one config epoch: the one with the smaller name takes a new one. */
function resolveCollision({ view }: ClusterNode, sender: Member): void {
  const { self } = view;
  if (sender.configEpoch !== self.configEpoch || sender.id <= self.id) return;
  self.configEpoch = ++view.currentEpoch;
}

function hearsay(node: ClusterNode, sender: Member, gossip: Gossip): void {
  const { view, failures, nowMs } = node;
  const member = view.members[gossip.node]!;
  const judged = sender.master === null && member !== view.self;
  if (judged && failures.reported(member, sender, gossip.failing, nowMs)) {
    node.broadcast({ type: 'fail', node: member.index });
    node.health.update(nowMs);
  }
  if (gossip.failing || member.pingSentMs !== 0 || failures.hasReports(member, nowMs)) return;
  if (gossip.pongMs <= nowMs + CLOCK_TOLERANCE_MS && gossip.pongMs > member.pongMs)
    member.pongMs = gossip.pongMs;
}

function failed(node: ClusterNode, member: Member): void {
  if (member === node.view.self || member.standing === 'failed') return;
  node.failures.failed(member, node.nowMs);
  node.health.update(node.nowMs);
}

function updated(node: ClusterNode, member: Member, epoch: number, ranges: readonly number[]): void {
  if (member.configEpoch >= epoch) return;
  member.master = null;
  member.configEpoch = epoch;
  claimed(node, member, epoch, ranges);
}
