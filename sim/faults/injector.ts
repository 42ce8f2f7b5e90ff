/** Applies faults: at their time, or at the moment their trigger names; and tells when the quiet tail begins. */
import type { Host } from '../host/host.js';
import { Process, type ProcessContext } from '../host/process.js';
import { uniformInt } from '../kernel/random.js';
import type { Network } from '../network/network.js';
import { RedisServer } from '../redis/server.js';
import type { Shard } from '../redis/shard.js';
import { Shutdown } from '../redis/shutdown.js';
import type { Fault } from '../scenario/schema.js';
import { durationUs, toUs } from '../workload/plan.js';
import type { Armed, Striker } from './moments.js';

/** What faults need to reach. */
export interface Targets {
  host(name: string): Host;
  /** The server of a name, or the one that a node of this name belongs to. */
  shard(name: string): Shard;
  readonly network: Network;
  restart(host: Host): void;
}

type Verb<Kind extends Fault['do']> = Extract<Fault, { do: Kind }>;

export class Injector implements Striker {
  /** True time at which the last fault that struck is over. */
  private calmFromUs = 0;
  /** Faults that are certain to strike and have not. */
  private due = 0;

  constructor(
    private readonly context: ProcessContext,
    private readonly targets: Targets,
    private readonly faults: readonly Fault[],
  ) {}

  /** Schedules the timed faults, arms the triggered ones. */
  start(): void {
    const { kernel, moments } = this.context;
    for (const [index, fault] of this.faults.entries()) {
      if (fault.on === undefined || fault.on.chance === 1) this.due++;
      if (fault.atMs !== undefined) {
        kernel.at(
          toUs(fault.atMs),
          null,
          (armed: { fault: Fault; index: number }) => this.strike(armed, null),
          { fault, index },
          null,
        );
      }
    }
    moments.striker = this;
    if (this.due === 0) this.recordTail();
  }

  triggered(armed: Armed, process: Process | null, atUs: number | null): void {
    const { kernel } = this.context;
    const { trigger } = armed;
    const first = armed.struck === 1 && trigger.chance === 1;
    const hit = { fault: armed.fault, index: armed.index, first };
    if (trigger.afterMs > 0) {
      kernel.at(
        (atUs ?? kernel.nowUs) + toUs(trigger.afterMs),
        null,
        () => this.strike(hit, process),
        null,
        null,
      );
    } else if (process !== null && process.ahead && !this.strikesStep(armed.fault, process)) {
      // The step runs ahead of true time; only its own pause may act before true time gets there.
      process.effect(() => this.strike(hit, process));
    } else this.strike(hit, process);
  }

  /** A pause of the very process whose step is running. */
  private strikesStep(fault: Fault, process: Process): boolean {
    return fault.do === 'pause' && (fault.host === undefined || fault.host === process.name);
  }

  private strike(hit: { fault: Fault; index: number; first?: boolean }, process: Process | null): void {
    const { fault, index } = hit;
    if (hit.first !== false) this.due--;
    const host = 'host' in fault && fault.host !== undefined ? this.targets.host(fault.host) : process;
    this.lasts(this.apply(fault, index, host));
  }

  private lasts(forUs: number): void {
    const { kernel } = this.context;
    this.calmFromUs = Math.max(this.calmFromUs, kernel.nowUs + forUs);
    kernel.at(this.calmFromUs, null, (): void => this.calm(), null, null, false);
  }

  private calm(): void {
    if (this.due === 0 && this.context.kernel.nowUs >= this.calmFromUs) this.recordTail();
  }

  private recordTail(): void {
    const { kernel, recorder } = this.context;
    recorder.add({ i: 0, tUs: kernel.nowUs, host: 'world', kind: 'tail' });
  }

  private note(index: number, fault: Fault, host: string, detail: string, tUs: number): void {
    const event = { i: 0, tUs, host, kind: 'fault', fault: index, do: fault.do, detail } as const;
    this.context.recorder.add(event);
  }

  /** How long the fault itself lasts, in microseconds; what lasts to the end of the run counts as over. */
  private apply(fault: Fault, index: number, host: Host | null): number {
    const nowUs = this.context.kernel.nowUs;
    switch (fault.do) {
      case 'pause':
        return this.pause(fault, index, host!);
      case 'step-clock':
        this.note(index, fault, host!.name, `${host!.name} by ${fault.byMs} ms`, nowUs);
        host!.stepClock(toUs(fault.byMs));
        return 0;
      case 'set-drift':
        this.note(index, fault, host!.name, `${host!.name} to ${fault.driftPpm} ppm`, nowUs);
        host!.setDrift(fault.driftPpm);
        return 0;
      case 'crash':
        return this.crash(fault, index, host!);
      case 'shutdown':
        return this.shutDown(fault, index, host!);
      case 'restart':
        this.note(index, fault, host!.name, host!.name, nowUs);
        this.targets.restart(host!);
        return 0;
      case 'promote':
        return this.promote(fault, index);
      case 'fill':
        this.note(index, fault, fault.host, `${fault.host} with ${fault.bytes} bytes`, nowUs);
        if (host instanceof RedisServer) host.fill(fault.bytes);
        return 0;
      case 'delay':
        this.note(index, fault, host?.name ?? 'world', `one message by ${fault.byMs} ms`, nowUs);
        return toUs(fault.byMs);
      default:
        return this.applyToLinks(fault, index);
    }
  }

  private pause(fault: Verb<'pause'>, index: number, host: Host): number {
    const { kernel, recorder } = this.context;
    const forUs = this.durationUs(fault, index);
    const detail = `${host.name} for ${forUs / 1000} ms`;
    const tUs = host instanceof Process ? host.nowUs : kernel.nowUs;
    const event = { i: 0, tUs, host: host.name, kind: 'fault', fault: index, do: 'pause', detail } as const;
    if (host instanceof Process) host.record(event);
    else recorder.add(event);
    host.pause(forUs);
    return Math.max(0, host.pausedUntilUs - kernel.nowUs);
  }

  private crash(fault: Verb<'crash'> | Verb<'shutdown'>, index: number, host: Host): number {
    this.note(index, fault, host.name, host.name, this.context.kernel.nowUs);
    const wasUp = host.up;
    if (host instanceof RedisServer) host.crash(fault.do === 'crash' && fault.power ? 'power' : 'crash');
    else host.crash();
    if (wasUp && host instanceof Process) this.targets.network.desert(host.name);
    else if (wasUp) this.targets.network.sever(host.name);
    return this.restartLater(fault, host);
  }

  private restartLater({ restartAfterMs }: Verb<'crash'> | Verb<'shutdown'>, host: Host): number {
    const { kernel } = this.context;
    if (restartAfterMs === undefined) return 0;
    const forUs = toUs(restartAfterMs);
    kernel.at(kernel.nowUs + forUs, null, () => this.targets.restart(host), null, null);
    return forUs;
  }

  /** A server whose replicas lag ends later; its restart is counted from there, and the fault is not over before. */
  private shutDown(fault: Verb<'shutdown'>, index: number, host: Host): number {
    if (!(host instanceof RedisServer) || !host.up) return this.crash(fault, index, host);
    this.note(index, fault, host.name, host.name, this.context.kernel.nowUs);
    let struck = false;
    let forUs = 0;
    this.due++;
    const shutdown = new Shutdown(host, 'shutdown', () => {
      this.due--;
      forUs = this.restartLater(fault, host);
      if (struck) this.lasts(forUs);
    });
    shutdown.begin();
    struck = true;
    return forUs;
  }

  private promote(fault: Verb<'promote'>, index: number): number {
    const { kernel } = this.context;
    const shard = this.targets.shard(fault.host);
    const previous = shard.serving;
    const replica =
      fault.replica === undefined
        ? shard.nodes.find(({ up, mode }) => up && mode.replica && !mode.loading)
        : shard.node(fault.replica);
    if (replica === undefined || !replica.up || replica === previous) return 0;
    this.note(index, fault, fault.host, `${replica.name} takes over ${fault.host}`, kernel.nowUs);
    if (replica.cluster !== null) {
      replica.cluster.manual.takeOver();
      return 0;
    }
    this.targets.network.sever(previous.name);
    replica.promote();
    for (const node of shard.nodes) if (node !== replica) node.replication.follow(replica);
    return 0;
  }

  private applyToLinks(
    fault: Verb<'partition' | 'heal' | 'hold' | 'release' | 'reset' | 'slow'>,
    index: number,
  ): number {
    const { network } = this.targets;
    const { kernel } = this.context;
    const pairs = list(fault.from).flatMap((from) => list(fault.to).map((to) => [from, to] as const));
    this.note(
      index,
      fault,
      list(fault.from)[0]!,
      `${list(fault.from).join(',')} -> ${list(fault.to).join(',')}`,
      kernel.nowUs,
    );
    const undo: (() => void)[] = [];
    for (const [from, to] of pairs) {
      switch (fault.do) {
        case 'partition':
        case 'heal':
          this.cut(fault.do, from, to, undo);
          if (!fault.oneWay) this.cut(fault.do, to, from, undo);
          break;
        case 'hold':
          network.hold(from, to);
          undo.push(() => network.release(from, to));
          break;
        case 'release':
          network.release(from, to);
          break;
        case 'reset':
          network.reset(from, to);
          break;
        case 'slow':
          network.slow(from, to, durationUs(fault.latencyMs));
          undo.push(() => network.slow(from, to, null));
      }
    }
    if (!('forMs' in fault) || fault.forMs === undefined) return 0;
    const forUs = toUs(fault.forMs);
    // Messages that wait for it keep the run alive themselves.
    kernel.at(kernel.nowUs + forUs, null, () => undo.forEach((each) => each()), null, null);
    return forUs;
  }

  private cut(verb: 'partition' | 'heal', from: string, to: string, undo: (() => void)[]): void {
    const { network } = this.targets;
    if (verb === 'heal') network.heal(from, to);
    else {
      network.partition(from, to);
      undo.push(() => network.heal(from, to));
    }
  }

  private durationUs(fault: Verb<'pause'>, index: number): number {
    const [least, most] = durationUs(fault.forMs);
    if (least === most) return least;
    return uniformInt(
      this.context.streams.open(`fault/${index}`, String(this.context.kernel.nowUs)),
      least,
      most,
    );
  }
}

function list(hosts: string | string[]): string[] {
  return typeof hosts === 'string' ? [hosts] : hosts;
}
