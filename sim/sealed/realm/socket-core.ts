/**
 * What is behind a `net.Socket` of a sealed process: the simulated connection, what waits to be read or written, and the timer
 * of idleness. The stream that the program sees asks it (socket.ts).
 */
import type { Duplex } from 'node:stream';
import type { SocketListener, VirtualTimer, Wire } from '../services.js';
import { closedBeforeConnection, connectError, notOpen, readError } from './socket-errors.js';
import type { Seat } from './seat.js';

/** Where to connect. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** The stream's side: members that Node's sockets show. */
export interface SocketStream extends Duplex {
  connecting: boolean;
  timeout: number | undefined;
  remoteAddress: string | undefined;
  remotePort: number | undefined;
  remoteFamily: string | undefined;
  localAddress: string | undefined;
  localPort: number | undefined;
  localFamily: string | undefined;
  bytesRead: number;
  /** After `connect` and before `ready`: what a socket with encryption adds. */
  greet?(): void;
}

export type Done = (error?: Error | null) => void;

export interface Chunk {
  readonly chunk: unknown;
  readonly encoding: BufferEncoding;
}

function toBytes({ chunk, encoding }: Chunk): string {
  if (typeof chunk === 'string') return Buffer.from(chunk, encoding).toString('latin1');
  const { buffer, byteOffset, byteLength } = chunk as Uint8Array;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

export class SocketCore implements SocketListener {
  written = 0;
  private wire: Wire | null = null;
  private destination: Destination = { host: '', port: 0 };
  private idle: VirtualTimer | null = null;
  /** Bytes that came while nobody read. */
  private held: string[] = [];
  private reading = true;
  private hasEnded = false;
  /** A write that waits for room. */
  private room: Done | null = null;

  constructor(
    private readonly stream: SocketStream,
    private readonly seat: Seat,
  ) {}

  get pending(): boolean {
    return this.wire === null || this.stream.connecting;
  }

  // ---- opening

  /** @param address of the machine, which exists */
  open(address: string, port: number): void {
    this.destination = { host: address, port };
    this.wire = this.seat.services.sockets!.connect(address, port, this);
  }

  connected(): void {
    const { stream } = this;
    stream.connecting = false;
    stream.remoteAddress = this.destination.host;
    stream.remotePort = this.destination.port;
    stream.remoteFamily = stream.localFamily = 'IPv4';
    stream.localAddress = this.wire!.localAddress;
    stream.localPort = this.wire!.localPort;
    this.active();
    stream.emit('connect');
    stream.greet?.();
    stream.emit('ready');
    if (stream.readable && !stream.isPaused()) stream.read(0);
  }

  // ---- reading

  data(bytes: string): void {
    const { stream } = this;
    this.active();
    stream.bytesRead += bytes.length;
    if (stream.destroyed) return;
    if (this.reading) this.reading = stream.push(Buffer.from(bytes, 'latin1'));
    else this.held.push(bytes);
  }

  read(): void {
    const { stream, held } = this;
    if (stream.connecting || this.wire === null) {
      stream.once('connect', () => this.read());
      return;
    }
    this.reading = true;
    while (held.length > 0 && this.reading) this.reading = stream.push(Buffer.from(held.shift()!, 'latin1'));
    if (this.hasEnded && held.length === 0) stream.push(null);
  }

  ended(): void {
    const { stream } = this;
    if (stream.destroyed || this.hasEnded) return;
    this.hasEnded = true;
    if (this.held.length > 0) return;
    stream.push(null);
    stream.read(0);
  }

  // ---- writing

  write(chunks: readonly Chunk[], done: Done): void {
    const { stream, wire } = this;
    if (stream.connecting) {
      const closed = (): void => done(closedBeforeConnection());
      stream.once('connect', () => {
        stream.off('close', closed);
        this.write(chunks, done);
      });
      stream.once('close', closed);
      return;
    }
    if (wire === null) {
      done(notOpen());
      return;
    }
    this.active();
    let bytes = '';
    for (const chunk of chunks) bytes += toBytes(chunk);
    this.written += bytes.length;
    if (wire.write(bytes)) done();
    else this.room = done;
  }

  drained(): void {
    const done = this.room;
    this.room = null;
    done?.();
  }

  final(done: Done): void {
    const { stream } = this;
    if (stream.connecting) {
      stream.once('connect', () => this.final(done));
      return;
    }
    this.wire?.end();
    // As in Node, where the machine tells when it has done so.
    this.seat.services.startImmediate(() => done());
  }

  // ---- the end

  broke(code: string): void {
    const { host, port } = this.destination;
    this.wire = null;
    this.stream.destroy(this.stream.connecting ? connectError(code, host, port) : readError(code));
  }

  destroy(error: Error | null, done: Done): void {
    const { stream, seat } = this;
    stream.connecting = false;
    this.rest();
    this.wire?.close();
    this.wire = null;
    done(error);
    seat.services.startImmediate(() => stream.emit('close', error !== null));
  }

  reset(): void {
    this.wire?.reset();
    this.wire = null;
  }

  // ---- idleness

  /** @param ms 0: never */
  waitFor(ms: number): void {
    this.rest();
    if (ms === 0) return;
    this.idle = this.seat.services.startTimer(() => this.stream.emit('timeout'), ms, false);
    this.idle.referenced = false;
  }

  private rest(): void {
    if (this.idle !== null) this.seat.services.stopTimer(this.idle);
    this.idle = null;
  }

  /** Something happened: the time of idleness begins anew. */
  private active(): void {
    if (this.idle !== null) this.waitFor(this.stream.timeout!);
  }
}
