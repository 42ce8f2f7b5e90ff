/**
 * `net.Socket` over the simulated network: a Duplex stream of the host's, with the order of events, the back-pressure and the
 * errors of Node's own sockets. Written once for all realms; each realm has a class of its own below it.
 */
import type { Duplex, DuplexOptions } from 'node:stream';
import { builtin } from '../builtins.js';
import { SocketCore, type Chunk, type Done, type SocketStream } from './socket-core.js';
import type { AnyFunction, Seat } from './seat.js';

export interface SocketOptions {
  readonly allowHalfOpen?: boolean;
}

export interface SimulatedSocket extends SocketStream {
  /** Connects to a machine that exists, by its address. */
  open(address: string, port: number): void;
  setTimeout(ms: number, callback?: AnyFunction): this;
}

export type SocketClass = new (seat: Seat, options?: SocketOptions) => SimulatedSocket;

/** Explicit: the default differs between versions of Node. */
const HIGH_WATER_MARK = 16 * 1024;

let made: SocketClass | null = null;

/** The class below all sockets; made on first use, where the host has streams. */
export function socketClass(): SocketClass {
  return (made ??= withSettings(makeStream()));
}

type StreamClass = new (seat: Seat, options?: SocketOptions) => SocketStream & { readonly core: SocketCore };

function makeStream(): StreamClass {
  const { Duplex: Base } = builtin('stream') as { Duplex: new (options: DuplexOptions) => Duplex };
  return class Stream extends Base implements SocketStream {
    connecting = false;
    timeout: number | undefined;
    remoteAddress: string | undefined;
    remotePort: number | undefined;
    remoteFamily: string | undefined;
    localAddress: string | undefined;
    localPort: number | undefined;
    localFamily: string | undefined;
    bytesRead = 0;
    readonly core!: SocketCore;

    constructor(seat: Seat, { allowHalfOpen = false }: SocketOptions = {}) {
      super({
        allowHalfOpen,
        emitClose: false,
        autoDestroy: true,
        decodeStrings: false,
        highWaterMark: HIGH_WATER_MARK,
      });
      Object.defineProperty(this, 'core', { value: new SocketCore(this, seat) });
    }

    override _read(): void {
      this.core.read();
    }

    override _write(chunk: unknown, encoding: BufferEncoding, done: Done): void {
      this.core.write([{ chunk, encoding }], done);
    }

    override _writev(chunks: Chunk[], done: Done): void {
      this.core.write(chunks, done);
    }

    override _final(done: Done): void {
      this.core.final(done);
    }

    override _destroy(error: Error | null, done: Done): void {
      this.core.destroy(error, done);
    }
  };
}

function withSettings(Stream: StreamClass): SocketClass {
  return class Socket extends Stream implements SimulatedSocket {
    open(address: string, port: number): void {
      this.core.open(address, port);
    }

    get pending(): boolean {
      return this.core.pending;
    }

    get readyState(): string {
      if (this.connecting) return 'opening';
      if (this.readable) return this.writable ? 'open' : 'readOnly';
      return this.writable ? 'writeOnly' : 'closed';
    }

    get bytesWritten(): number {
      return this.core.written + this.writableLength;
    }

    address(): object {
      if (this.localAddress === undefined) return {};
      return { address: this.localAddress, family: this.localFamily, port: this.localPort };
    }

    destroySoon(): void {
      if (this.writable) this.end();
      if (this.writableFinished) this.destroy();
      else this.once('finish', () => this.destroy());
    }

    resetAndDestroy(): this {
      this.core.reset();
      return this.destroy();
    }

    setTimeout(ms: number, callback?: AnyFunction): this {
      if (this.destroyed) return this;
      this.timeout = ms;
      this.core.waitFor(ms);
      if (callback === undefined) return this;
      if (ms === 0) this.removeListener('timeout', callback);
      else this.once('timeout', callback);
      return this;
    }

    setNoDelay(): this {
      return this;
    }

    setKeepAlive(): this {
      return this;
    }

    ref(): this {
      return this;
    }

    unref(): this {
      return this;
    }
  };
}
