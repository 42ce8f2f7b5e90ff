/**
 * The servers of a lock. A server is a shard: a master and its replicas, each of them a node that may become the master. The
 * node that is one, as the last promotion has it, is the shard's authority: its keys and its clock are the shard's. A master
 * that was deposed and does not know it yet answers those who are cut off with it; what it keeps is nobody's vote.
 *
 * In a Redis Cluster the lock talks to all shards as to one server, and each of its keys lives on one of them.
 */
import type { EventOf } from '../../sim/history/events.js';
import type { Scenario } from '../../sim/scenario/schema.js';
import { ppmOf, readClock, segmentIndex, type ClockSegment } from './clocks.js';
import type { Analysis, Down, Hold, HostState, Life } from './model.js';

/** A span of true time, and of events, in which one node was the master: from here to the next one's. */
export interface Reign {
  readonly fromUs: number;
  readonly node: HostState;
}

export class Shard {
  /** The clocks of the authority: after a promotion those of the new master. */
  clocks: ClockSegment[];
  /** Spans in which the authority was down. */
  downs: Down[] | null = null;
  /** Live keys of the authority. */
  readonly live: Life[] = [];
  readonly reigns: Reign[];

  constructor(
    readonly name: string,
    /** Index of the independent server: `redis-1` is 0, and so is every shard of a cluster. */
    readonly server: number,
    first: HostState,
  ) {
    this.clocks = first.clocks;
    this.reigns = [{ fromUs: -Infinity, node: first }];
  }

  get authority(): HostState {
    return this.reigns[this.reigns.length - 1]!.node;
  }

  authorityAt(tUs: number): HostState {
    const { reigns } = this;
    let index = reigns.length - 1;
    while (index > 0 && reigns[index]!.fromUs > tUs) index--;
    return reigns[index]!.node;
  }

  /** Names of the nodes that were the master at some time in [fromUs, untilUs]. */
  masters(fromUs: number, untilUs: number): string[] {
    const { reigns } = this;
    const within = reigns.filter(({ fromUs: beganUs }, index) => {
      const overUs = reigns[index + 1]?.fromUs ?? Infinity;
      return beganUs <= untilUs && overUs >= fromUs;
    });
    return within.map(({ node }) => node.name);
  }

  /**
   * Another node is the master from this event on. The keys that both have live on, by the new clock; the deposed node keeps
   * its copies.
   */
  promote(node: HostState, event: { readonly i: number; readonly tUs: number }): void {
    const deposed = this.authority;
    if (deposed === node) return;
    deposed.live.push(...this.live);
    node.live.length = 0;
    this.reigns.push({ fromUs: event.tUs, node });
    this.goOnBy(node, event);
    const last = this.downs?.[this.downs.length - 1];
    if (last?.untilUs === Infinity) last.untilUs = event.tUs;
    if (node.downs?.[node.downs.length - 1]?.untilUs === Infinity) this.wentDown(event.tUs);
  }

  wentDown(tUs: number): void {
    (this.downs ??= []).push({ fromUs: tUs, untilUs: Infinity });
  }

  /** From here on the shard's clock is the new master's: a step, if the two do not show the same. */
  private goOnBy(node: HostState, { i, tUs }: { readonly i: number; readonly tUs: number }): void {
    const { clocks } = this;
    const current = node.clocks[node.clocks.length - 1];
    this.clocks = [...clocks];
    if (current === undefined) return;
    const wallUs = readClock(node.clocks, 'wall', tUs);
    const stepped = wallUs !== readClock(clocks, 'wall', tUs);
    // A server's keys go by its wall clock alone.
    if (!stepped && ppmOf(current, 'wall') === ppmOf(clocks[segmentIndex(clocks, tUs)]!, 'wall')) return;
    this.clocks.push({
      i,
      tUs,
      host: node.name,
      kind: 'clock',
      wallUs,
      wallPpm: ppmOf(current, 'wall'),
      monoUs: readClock(node.clocks, 'monotonic', tUs),
      monoPpm: ppmOf(current, 'monotonic'),
      cause: stepped ? 'step' : 'drift',
    });
  }
}

/** Whether a promotion may have taken back what the master before had acknowledged: the new one had not been sent it, or went ways of its own. */
export function forgets(shard: Shard | undefined, event: EventOf<'promote'>): boolean {
  if (event.unreplicated > 0) return true;
  return shard?.reigns.some(({ fromUs, node }) => fromUs < event.tUs && node.name === event.replica) === true;
}

/** How many independent servers the lock has: a cluster is one. */
export function lockServers({ servers }: Scenario): number {
  return servers.cluster === undefined ? servers.count : 1;
}

/** Name of the shard to which a node belongs: its name without the replica's number. */
export function shardName(node: string): string {
  const at = node.indexOf('-replica-');
  return at < 0 ? node : node.slice(0, at);
}

/** Whether a host was up at a true time; one that the history does not mention was. */
export function isUp(host: { readonly downs: readonly Down[] | null } | undefined, tUs: number): boolean {
  if (host === undefined || host.downs === null) return true;
  for (const down of host.downs) if (down.fromUs <= tUs && tUs < down.untilUs) return false;
  return true;
}

/** Whether the server was up for a hold at a true time: in a cluster, the shard of its keys. */
export function serverUp(analysis: Analysis, hold: Hold, server: number, tUs: number): boolean {
  if (!analysis.cluster) return isUp(analysis.shards[server], tUs);
  for (const life of hold.lives) if (!life.key.auxiliary && !isUp(life.shard, tUs)) return false;
  return true;
}
