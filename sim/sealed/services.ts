/**
 * What a sealed instance asks of the process it runs in. The realm (the virtual `Date`, timers, `process`, ...) is
 * built once for an instance and looks up its current services at each call, so that an instance can be reused
 * for another run of the same process slot.
 */
export interface ProcessServices {
  /** Host name, e.g. `p1`. */
  readonly host: string;
  /** What `Date.now()` shows: whole milliseconds of the host's wall clock. Counts as an observable clock read. */
  wallMs(): number;
  /** What `performance.now()` shows: milliseconds (with microsecond fractions) of the host's monotonic clock. */
  monotonicMs(): number;
  /** Starts a timer on the host's monotonic clock. `delayMs` as given to setTimeout (may be NaN, negative, huge). */
  startTimer(callback: () => void, delayMs: number, repeat: boolean): VirtualTimer;
  stopTimer(timer: VirtualTimer): void;
  /** Runs after the current callback's ticks and microtasks, before time moves. */
  startImmediate(callback: () => void): VirtualImmediate;
  /** Runs after the current callback, before its microtasks. */
  nextTick(callback: () => void): void;
  /** The process's stream for `Math.random`: [0, 1). */
  random(): number;
  /** The process's stream for `crypto`: an unsigned 32-bit integer. */
  randomUint32(): number;
  /** The program tried to leave the simulation, or changed what it must not: ends the run with this error. */
  escaped(error: Error): void;
  /** A line of `console` output. */
  printed(level: 'log' | 'warn' | 'error', line: string): void;
  /** A promise library of the program's own (bluebird) found a rejection that nobody handles. */
  rejected?(reason: unknown): void;
  /** `process.exit`: the process ends as in a crash; nothing of it runs again. */
  exit(code: number): void;
  /** The simulated network; without one, connecting is an attempt to leave the simulation. */
  readonly sockets?: SocketServices | null;
}

/** The simulated network as the sockets of a process see it. */
export interface SocketServices {
  /** The address of a machine by its name or address; null: there is no such machine. */
  address(name: string): string | null;
  /** Opens a connection. @param address as {@link address} gives it */
  connect(address: string, port: number, listener: SocketListener): Wire;
}

/** The far side of a socket. Bytes travel as byte strings. */
export interface Wire {
  readonly localAddress: string;
  readonly localPort: number;
  /** False: the machine's buffer is full, and {@link SocketListener.drained} tells when it is not. */
  write(bytes: string): boolean;
  /** Nothing more will be written; what comes back is still read. */
  end(): void;
  /** Gives up both directions: what was written still arrives. */
  close(): void;
  /** Breaks the connection at once. */
  reset(): void;
}

/** What a socket hears, each in a step of the process. After `broke` nothing comes. */
export interface SocketListener {
  connected(): void;
  data(bytes: string): void;
  /** The other end has closed its side. */
  ended(): void;
  /** The connection could not be opened, or broke: an error code as Node reports it. */
  broke(code: string): void;
  drained(): void;
}

export interface VirtualTimer {
  /** False once fired (and not repeating) or stopped. */
  readonly active: boolean;
  /** Unreferenced timers do not keep the run alive. */
  referenced: boolean;
}

export interface VirtualImmediate {
  cancelled: boolean;
}
