/** The modules `net`, `tls` and `dns`: sockets to simulated machines; all else is refused. */
import { builtin } from '../builtins.js';
import { invalidArgument, escape, named } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';
import { describeAttempt, refusedModule } from './refused.js';
import { notFound } from './socket-errors.js';
import type { Destination } from './socket-core.js';
import { socketClass, type SimulatedSocket, type SocketOptions } from './socket.js';

type Members = Record<string, unknown>;

interface ConnectOptions extends SocketOptions {
  readonly host?: string;
  readonly port?: number | string;
  readonly path?: string;
  readonly socket?: unknown;
  readonly timeout?: number;
}

type Given = readonly unknown[];

function optionsOf(given: Given): { options: ConnectOptions; callback: AnyFunction | undefined } {
  const last = given[given.length - 1];
  const callback = typeof last === 'function' ? (last as AnyFunction) : undefined;
  const [first, second] = given;
  if (typeof first === 'object' && first !== null) return { options: first, callback };
  const path = typeof first === 'string' && !/^\d+$/.test(first) ? first : undefined;
  if (path !== undefined) return { options: { path }, callback };
  return {
    options: { port: first as number | string, ...(typeof second === 'string' ? { host: second } : {}) },
    callback,
  };
}

function destinationOf({ host = 'localhost', port }: ConnectOptions): Destination {
  const number = Number(port);
  if (port === undefined || !Number.isInteger(number) || number < 0 || number > 65_535)
    throw Object.assign(new RangeError(`Port should be >= 0 and < 65536. Received ${String(port)}.`), {
      code: 'ERR_SOCKET_BAD_PORT',
    });
  return { host, port: number };
}

/** Where a call leads; an unknown machine, and a path, are no part of the simulation. */
interface Way extends Destination {
  readonly address: string;
}

function wayOf(seat: Seat, route: string, given: Given, below: AnyFunction): Way {
  const { options } = optionsOf(given);
  const { sockets } = seat.services;
  if (typeof options.path === 'string' || sockets === undefined || sockets === null)
    escape(seat, describeAttempt(route, given), below);
  const destination = destinationOf(options);
  const address = sockets.address(destination.host);
  if (address === null) escape(seat, describeAttempt(route, given), below);
  return { ...destination, address };
}

/** Begins to connect, later than the call. */
function begin(seat: Seat, socket: SimulatedSocket, way: Way): void {
  socket.connecting = true;
  const { address, host } = way;
  const byName = address !== host;
  const open = (): void => {
    if (!socket.connecting) return;
    if (byName) socket.emit('lookup', null, address, 4, host);
    if (socket.connecting) socket.open(address, way.port);
  };
  if (byName) seat.services.startImmediate(open);
  else seat.services.nextTick(open);
}

/** The class of one realm. */
function makeSocket(seat: Seat, route: string) {
  return class Socket extends socketClass() {
    constructor(options?: SocketOptions) {
      const { sockets } = seat.services;
      if (sockets === undefined || sockets === null) escape(seat, route, Socket as unknown as AnyFunction);
      if (options !== undefined && 'fd' in options)
        escape(seat, `${route} on a file descriptor`, Socket as unknown as AnyFunction);
      super(seat, options);
    }

    connect(...given: unknown[]): this {
      const way = wayOf(seat, `${route}.connect`, given, this.connect);
      const { callback } = optionsOf(given);
      if (callback !== undefined) this.once('connect', callback);
      begin(seat, this, way);
      return this;
    }
  };
}

export function makeNet(seat: Seat): Members {
  const refused = refusedModule(seat, 'net', builtin);
  if (builtin('stream') === undefined) return refused;
  const Socket = makeSocket(seat, 'net.Socket');
  const connector = (name: string): AnyFunction => {
    const connect = named(name, (...given: unknown[]) => {
      const way = wayOf(seat, `net.${name}`, given, connect);
      const { options, callback } = optionsOf(given);
      const socket = new Socket(options);
      if (callback !== undefined) socket.once('connect', callback);
      begin(seat, socket, way);
      if (options.timeout !== undefined) socket.setTimeout(options.timeout);
      return socket;
    });
    return connect;
  };
  return {
    ...refused,
    Socket,
    Stream: Socket,
    connect: connector('connect'),
    createConnection: connector('createConnection'),
    setDefaultAutoSelectFamily: () => undefined,
    getDefaultAutoSelectFamily: () => true,
  };
}

/** As `net`, with the events of an encrypted connection; nothing is encrypted, and no time passes for it. */
export function makeTls(seat: Seat): Members {
  const refused = refusedModule(seat, 'tls', builtin);
  if (builtin('stream') === undefined) return refused;
  class TLSSocket extends makeSocket(seat, 'tls.TLSSocket') {
    readonly encrypted = true;
    authorized = false;
    readonly alpnProtocol = false;

    override greet(): void {
      this.authorized = true;
      this.emit('secureConnect');
    }

    getPeerCertificate(): object {
      return {};
    }

    getCipher(): object {
      return { name: 'TLS_AES_256_GCM_SHA384', standardName: 'TLS_AES_256_GCM_SHA384', version: 'TLSv1.3' };
    }

    getProtocol(): string {
      return 'TLSv1.3';
    }
  }
  const connect = named('connect', (...given: unknown[]) => {
    const { options, callback } = optionsOf(given);
    if (options.socket !== undefined) escape(seat, 'tls.connect over another socket', connect);
    const way = wayOf(seat, 'tls.connect', given, connect);
    const socket = new TLSSocket(options);
    if (callback !== undefined) socket.once('secureConnect', callback);
    begin(seat, socket, way);
    return socket;
  }) as AnyFunction;
  return { ...refused, TLSSocket, createSecureContext: () => ({ context: {} }), connect };
}

interface LookupOptions {
  readonly all?: boolean;
}

type LookupCallback = (error: Error | null, address?: unknown, family?: number) => void;

/** The answer to a lookup; null: nobody has the name. */
function lookedUp(
  seat: Seat,
  hostname: unknown,
  all: boolean,
): { address: string; family: 4 } | object[] | null {
  if (typeof hostname !== 'string') throw invalidArgument('hostname', 'of type string', hostname);
  const address = seat.services.sockets?.address(hostname) ?? null;
  if (address === null) return null;
  return all ? [{ address, family: 4 }] : { address, family: 4 };
}

function makeLookup(seat: Seat): AnyFunction {
  return named('lookup', (hostname: string, given: unknown, callback?: LookupCallback): void => {
    const done = (callback ?? given) as LookupCallback;
    if (seat.services.sockets === undefined || seat.services.sockets === null)
      escape(seat, `dns.lookup to ${hostname}`);
    const all = typeof given === 'object' && given !== null && (given as LookupOptions).all === true;
    const found = lookedUp(seat, hostname, all);
    const kept = seat.keepContext === null ? done : seat.keepContext(done);
    seat.services.startImmediate(() => {
      if (found === null) kept(notFound(hostname));
      else if (Array.isArray(found)) kept(null, found);
      else kept(null, (found as { address: string }).address, 4);
    });
  });
}

export function makeDnsPromises(seat: Seat): Members {
  return {
    ...refusedModule(seat, 'dns/promises', builtin),
    lookup: named('lookup', async (hostname: string, options?: LookupOptions) => {
      if (seat.services.sockets === undefined || seat.services.sockets === null)
        escape(seat, `dns/promises.lookup to ${hostname}`);
      const found = lookedUp(seat, hostname, options?.all === true);
      await new Promise<void>((resolve) => void seat.services.startImmediate(resolve));
      if (found === null) throw notFound(hostname);
      return found;
    }),
  };
}

export function makeDns(seat: Seat, promises: Members): Members {
  return { ...refusedModule(seat, 'dns', builtin), lookup: makeLookup(seat), promises };
}
