/** The one pass over a history's events that builds what the checkers share. */
import type { EventOf, History, HistoryEvent } from '../../sim/history/events.js';
import {
  Analysis,
  Hold,
  HostState,
  Resource,
  type AcquireOk,
  type Down,
  type ExtendEvent,
  type UseArrival,
} from './model.js';
import { KeyTracker } from './key-tracker.js';
import { classifyKeys } from './keys.js';
import { Shard, shardName } from './shards.js';

/** Number of a node's shard from 0, by the node's name; -1 for other hosts. Few names, asked for in every history. */
const numbers = new Map<string, number>();

function shardNumber(name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    const match = /^redis-(\d+)(-replica-\d+)?$/.exec(name);
    numbers.set(name, (number = match === null ? -1 : Number(match[1]) - 1));
  }
  return number;
}

export function analyse(history: History): Analysis {
  return new Pass(history).run();
}

class Pass {
  private readonly analysis: Analysis;
  /** Attempts that are neither failed nor released nor crashed. */
  private readonly engaged: Hold[] = [];
  /** How many of them were granted. */
  private held = 0;
  private lastHold: Hold | undefined;
  private readonly keys: KeyTracker;

  constructor(history: History) {
    this.analysis = new Analysis(history);
    this.keys = new KeyTracker(this.analysis, (id) => this.holdOf(id));
  }

  run(): Analysis {
    const { analysis } = this;
    const { events } = analysis;
    for (let index = 0; index < events.length; index++) {
      const event = events[index]!;
      switch (event.kind) {
        case 'apply':
        case 'reply':
        case 'check':
        case 'message':
        case 'print':
          break;
        case 'key':
          this.keys.take(this.host(event.host), event);
          break;
        case 'use':
          if (event.phase !== 'invoke') this.use(event);
          break;
        case 'acquire':
          this.acquire(event);
          break;
        case 'release':
          this.release(event);
          break;
        case 'clock':
          this.clock(event);
          break;
        case 'extend':
          this.extend(event);
          break;
        case 'lost':
          this.lost(event);
          break;
        default:
          this.rare(event);
      }
    }
    analysis.endUs = events.length === 0 ? 0 : events[events.length - 1]!.tUs;
    // Nothing was left to happen when the last fault was over: there is no tail.
    if (analysis.tailIndex < 0 && analysis.figures.faultsStruck > 0) analysis.tailUs = Infinity;
    classifyKeys(analysis);
    return analysis;
  }

  private rare(event: HistoryEvent): void {
    const { analysis } = this;
    switch (event.kind) {
      case 'fault':
        analysis.figures.faultsStruck++;
        if (this.held > 0) analysis.figures.faultsWhileHeld++;
        break;
      case 'pause': {
        const host = this.host(event.host);
        (host.pauses ??= []).push(event);
        break;
      }
      case 'crash':
        this.crash(event.host, event.tUs);
        break;
      case 'restart':
        this.up(event.host, event.tUs);
        break;
      case 'promote':
        this.host(event.host).shard?.promote(this.host(event.replica), event);
        if (event.unreplicated > 0) analysis.figures.unreplicatedFailovers++;
        break;
      case 'link':
        analysis.links.push(event);
        break;
      case 'trouble':
        analysis.troubles.push(event);
        break;
      case 'pending':
        analysis.pending.push(event);
        break;
      case 'tail':
        analysis.tailUs = event.tUs;
        analysis.tailIndex = event.i;
        break;
      case 'end':
        analysis.end = event;
        break;
      default:
        break;
    }
  }

  private host(name: string): HostState {
    const { analysis } = this;
    let host = analysis.hosts.get(name);
    if (host === undefined) {
      host = new HostState(name);
      analysis.hosts.set(name, host);
      const number = shardNumber(name);
      if (number >= 0) host.shard = analysis.shards[number] ?? this.shard(name, number);
    }
    return host;
  }

  /** The shard of a node that is the first of its nodes to be mentioned. Its first master bears its name. */
  private shard(node: string, number: number): Shard {
    const { analysis } = this;
    const name = shardName(node);
    if (name !== node) return this.host(name).shard!;
    const shard = new Shard(name, analysis.cluster ? 0 : number, analysis.hosts.get(name)!);
    analysis.shards[number] = shard;
    return shard;
  }

  private clock(event: EventOf<'clock'>): void {
    const host = this.host(event.host);
    host.clocks.push(event);
    const { shard } = host;
    // Up to the first promotion the two are one list.
    if (shard !== null && shard.authority === host && shard.clocks !== host.clocks) shard.clocks.push(event);
  }

  private holdOf(id: string): Hold | undefined {
    if (this.lastHold?.id === id) return this.lastHold;
    const hold = this.analysis.holdById.get(id);
    if (hold !== undefined) this.lastHold = hold;
    return hold;
  }

  private resource(name: string): Resource {
    const { resources } = this.analysis;
    for (let index = 0; index < resources.length; index++) {
      if (resources[index]!.name === name) return resources[index]!;
    }
    const resource = new Resource(name);
    resources.push(resource);
    return resource;
  }

  private acquire(event: EventOf<'acquire'>): void {
    if (event.phase === 'invoke') {
      this.asked(event);
      return;
    }
    const hold = this.holdOf(event.hold);
    if (hold === undefined) return;
    if (event.phase === 'ok') this.granted(hold, event);
    else if (event.phase === 'fail') {
      hold.failedUs = event.tUs;
      this.disengage(hold);
    } else hold.withdrawnUs = event.tUs;
  }

  private asked(event: EventOf<'acquire', 'invoke'>): void {
    const resource = this.resource(event.resource);
    const { hold: id, task, ttlMs, tUs, i } = event;
    const process = this.host(event.host);
    const { engaged, analysis } = this;
    let crowd = 1;
    let outer: Hold | null = null;
    for (let index = 0; index < engaged.length; index++) {
      const other = engaged[index]!;
      if (other.process === process && other.task === task && this.nests(process)) {
        if (outer === null || other.resource === resource) outer = other;
      } else if (other.resource === resource) {
        other.contended = true;
        resource.contended = true;
        crowd++;
      }
    }
    const again = outer !== null && outer.resource === resource && analysis.permits === 1;
    const lives = again ? outer!.lives : [];
    const hold = new Hold(id, process, task, resource, ttlMs, tUs, i, lives);
    if (outer !== null) hold.kin = (outer.kin ??= new Set([outer.id])).add(id);
    if (crowd > 1) hold.contended = true;
    if (crowd > resource.crowd) resource.crowd = crowd;
    engaged.push(hold);
    analysis.holds.push(hold);
    analysis.holdById.set(id, hold);
    this.lastHold = hold;
  }

  /** Whether the workload of a process takes one thing inside another. */
  private nests({ name }: HostState): boolean {
    const { workload, overrides } = this.analysis.scenario;
    return overrides[name]?.workload?.nested ?? workload.nested;
  }

  private granted(hold: Hold, event: AcquireOk): void {
    hold.ok = event;
    hold.resource.grants.push(hold);
    this.analysis.grants.push(hold);
    this.held++;
  }

  /** The attempt is over: failed, its release invoked, or its process crashed. */
  private disengage(hold: Hold): void {
    const { engaged } = this;
    const index = engaged.indexOf(hold);
    if (index < 0) return;
    engaged[index] = engaged[engaged.length - 1]!;
    engaged.pop();
    if (hold.ok !== null) this.held--;
  }

  private release(event: EventOf<'release'>): void {
    const hold = this.holdOf(event.hold);
    if (hold === undefined) return;
    if (event.phase !== 'invoke') {
      hold.releasedUs = event.tUs;
    } else if (hold.releaseIndex < 0) {
      hold.releaseUs = event.tUs;
      hold.releaseIndex = event.i;
      this.disengage(hold);
    }
  }

  private extend(event: ExtendEvent): void {
    const hold = this.holdOf(event.hold);
    if (hold === undefined) return;
    (hold.extends ??= []).push(event);
    if (event.phase === 'ok' || event.phase === 'info') (hold.renewals ??= []).push(event);
  }

  private lost(event: EventOf<'lost'>): void {
    const hold = this.holdOf(event.hold);
    if (hold === undefined || hold.lostIndex >= 0) return;
    hold.lostUs = event.tUs;
    hold.lostIndex = event.i;
  }

  private use(event: UseArrival): void {
    const hold = this.holdOf(event.hold);
    if (hold === undefined) return;
    this.analysis.uses.push(event);
    if (hold.firstUse === null) {
      hold.firstUse = event;
      hold.resource.users.push(hold);
    }
    hold.lastUse = event;
  }

  private crash(name: string, tUs: number): void {
    const host = this.host(name);
    (host.downs ??= []).push({ fromUs: tUs, untilUs: Infinity });
    if (host.shard?.authority === host) host.shard.wentDown(tUs);
    const { engaged } = this;
    for (let index = engaged.length - 1; index >= 0; index--) {
      const hold = engaged[index]!;
      if (hold.process !== host) continue;
      hold.crashUs = tUs;
      this.disengage(hold);
    }
    // A release or a clean-up that was under way dies with its process.
    for (const hold of this.analysis.holds) {
      if (hold.process === host && hold.crashUs === Infinity) hold.crashUs = tUs;
    }
  }

  private up(name: string, tUs: number): void {
    const host = this.host(name);
    cameUp(host.downs, tUs);
    if (host.shard?.authority === host) cameUp(host.shard.downs, tUs);
  }
}

function cameUp(downs: readonly Down[] | null, tUs: number): void {
  const last = downs === null ? undefined : downs[downs.length - 1];
  if (last !== undefined && last.untilUs === Infinity) last.untilUs = tUs;
}
