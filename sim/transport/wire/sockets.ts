/** The sockets of one process: where names lead, and whose a connection is. */
import type { Owner, TaskOwner } from '../../host/owner.js';
import type { Process, ProgramSockets } from '../../host/process.js';
import type { KernelEvent } from '../../kernel/heap.js';
import type { Stream } from '../../kernel/random.js';
import type { Moments } from '../../faults/moments.js';
import type { Network } from '../../network/network.js';
import type { CommandServer } from '../../redis/request.js';
import type { SocketListener, VirtualTimer, Wire } from '../../sealed/services.js';
import { WireConnection } from './connection.js';
import type { Directory } from './directory.js';

/** Where a connection leads. */
export interface Target {
  readonly server: CommandServer;
  /** The server of the lock, whichever of its nodes this is. */
  readonly name: string;
}

/** What a connection needs of its surroundings. */
export interface WireSetting {
  readonly network: Network;
  readonly moments: Moments;
  readonly counter: { next: number };
  /** When the clients of a program that begins connect: it takes them no time. */
  readonly greetsAtUs: number;
  readonly localAddress: string;
  /** The process's port of the connection that is opened next. */
  nextPort(): number;
  cuts(process: string): { readonly chance: number; readonly stream: Stream } | null;
  /** The step that begins runs on behalf of this owner. */
  takesOver(owner: Owner): void;
  /** The step that runs tells the program that a connection is lost. */
  losing(): void;
  /** A connection is being opened. True: nobody waits for it, and it must not keep the run alive. */
  attempting(): boolean;
  /** It is open, or will not be. */
  attempted(): void;
}

export interface SocketPlan {
  readonly network: Network;
  readonly moments: Moments;
  readonly counter: { next: number };
  readonly directory: Directory;
  /** Chance that a segment is cut in two. */
  readonly cutChance: number;
  readonly openStream: (process: string) => Stream;
}

/** The range that Linux gives ports from. */
const FIRST_PORT = 32_768;
const PORTS = 28_232;

export class ProcessSockets implements ProgramSockets, WireSetting {
  readonly network: Network;
  readonly moments: Moments;
  readonly counter: { next: number };
  readonly localAddress: string;
  greetsAtUs = -1;
  private ports = 0;
  /** On whose behalf the program runs now. */
  private current: Owner | null = null;
  /** The step in which the program hears of a lost connection. */
  private losingStep = -1;
  /** Timers that bring back connections that nobody waits for. */
  private idle: VirtualTimer[] = [];
  private stream: Stream | null = null;
  /** Connections that are being opened. */
  private attempts = 0;
  private vigil: KernelEvent | null = null;

  /** @param shared whose everything is; null: each task's sockets are its own */
  constructor(
    private readonly process: Process,
    private readonly plan: SocketPlan,
    private readonly tasks: readonly TaskOwner[],
    private readonly shared: Owner | null,
  ) {
    this.network = plan.network;
    this.moments = plan.moments;
    this.counter = plan.counter;
    this.localAddress = `10.2.0.${/\d+$/.exec(process.name)?.[0] ?? 1}`;
  }

  /** The clients of a task connect now, before it begins, as they would long before in production. */
  greet(owner: Owner): void {
    this.current = owner;
    this.greetsAtUs = this.process.nowUs;
  }

  // ---- whose

  takesOver(owner: Owner): void {
    this.current = owner;
  }

  /** A task calls its lock: connections that nobody waited for are waited for now. */
  awaits(owner: Owner): void {
    this.current = owner;
    if (this.attempts > 0) this.watch();
    if (this.idle.length === 0) return;
    for (const timer of this.idle) if (timer.active) timer.referenced = true;
    this.idle = [];
  }

  /** Keeps the run alive while connections are being opened that began when nobody waited for them. */
  private watch(): void {
    const { kernel } = this.network;
    this.vigil ??= kernel.at(Number.MAX_SAFE_INTEGER, this.process, ProcessSockets.never, null, null);
  }

  private static never(): void {}

  attempting(): boolean {
    this.attempts++;
    return !this.tasks.some((task) => task.busy);
  }

  attempted(): void {
    if (--this.attempts > 0 || this.vigil === null) return;
    this.network.kernel.cancel(this.vigil);
    this.vigil = null;
  }

  /** What is put off now goes on later on behalf of the same owner. */
  carry(callback: () => void): () => void {
    const owner = this.current;
    return () => {
      this.current = owner;
      callback();
    };
  }

  losing(): void {
    this.losingStep = this.process.steps;
  }

  /**
   * A timer that was started. In a step that loses a connection it is the one after which the client tries again, and where
   * no call of the lock is open nobody waits for that: it must not keep the run alive.
   */
  started(timer: VirtualTimer): void {
    if (this.losingStep !== this.process.steps) return;
    for (const task of this.tasks) if (task.busy) return;
    timer.referenced = false;
    this.idle.push(timer);
  }

  // ---- sockets

  cuts(process: string): { readonly chance: number; readonly stream: Stream } | null {
    const { cutChance: chance, openStream } = this.plan;
    return chance === 0 ? null : { chance, stream: (this.stream ??= openStream(process)) };
  }

  nextPort(): number {
    return FIRST_PORT + (this.ports++ % PORTS);
  }

  address(name: string): string | null {
    return this.plan.directory.address(name);
  }

  connect(host: string, port: number, listener: SocketListener): Wire {
    const owner = this.shared ?? this.current ?? this.tasks[0]!;
    return new WireConnection(this.process, this, this.plan.directory.target(host, port), owner, listener);
  }
}
