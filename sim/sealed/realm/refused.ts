import { escape, named } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

/** A short account of the target in a call's arguments: `10.0.0.1:6379`, a URL, a path, a command. */
export function describeTarget(args: readonly unknown[]): string | null {
  const [first, second] = args;
  if (typeof first === 'number') return `${typeof second === 'string' ? second : 'localhost'}:${first}`;
  if (typeof first === 'string') return first;
  if (first instanceof URL) return first.href;
  if (typeof first !== 'object' || first === null) return null;
  const { host, hostname, port, path, url, href } = first as Record<string, unknown>;
  if (typeof href === 'string') return href;
  if (typeof url === 'string') return url;
  const name = host ?? hostname;
  if (port !== undefined) return `${typeof name === 'string' ? name : 'localhost'}:${String(port)}`;
  if (typeof name === 'string') return name;
  return typeof path === 'string' ? path : null;
}

/** A function or class that is there to be found, and ends the run when it is called. */
export function refusal(seat: Seat, route: string): AnyFunction {
  const refused = named(route.slice(route.lastIndexOf('.') + 1), function (...args: unknown[]): never {
    const target = describeTarget(args);
    return escape(seat, target === null ? route : `${route} to ${target}`, refused);
  });
  return refused;
}

/** Functions and classes of the refused modules. */
const NAMES: Readonly<Record<string, string>> = {
  net: 'BlockList SocketAddress connect createConnection createServer Server Socket Stream setDefaultAutoSelectFamily',
  tls: 'createSecureContext SecureContext TLSSocket Server createServer connect checkServerIdentity getCiphers',
  dns: `lookup lookupService Resolver setServers getServers resolve resolve4 resolve6 resolveAny resolveCaa resolveCname
    resolveMx resolveNaptr resolveNs resolvePtr resolveSoa resolveSrv resolveTxt reverse setDefaultResultOrder
    getDefaultResultOrder`,
  dgram: 'createSocket Socket',
  http: 'Agent ClientRequest IncomingMessage OutgoingMessage Server ServerResponse createServer get request',
  https: 'Agent Server createServer get request',
  http2: 'connect createServer createSecureServer Http2ServerRequest Http2ServerResponse',
  child_process: 'ChildProcess exec execFile execFileSync execSync fork spawn spawnSync',
  cluster: 'Worker setupPrimary setupMaster fork disconnect',
  worker_threads:
    'Worker MessagePort MessageChannel BroadcastChannel receiveMessageOnPort postMessageToThread',
};

const METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

function constantsOf(module: string, host: (name: string) => unknown): Record<string, unknown> {
  if (module === 'net') {
    const { isIP, isIPv4, isIPv6 } = (host('net') ?? {}) as Record<string, unknown>;
    return { isIP, isIPv4, isIPv6 };
  }
  if (module === 'http') return { METHODS, STATUS_CODES: {} };
  if (module === 'worker_threads')
    return { isMainThread: true, parentPort: null, workerData: null, threadId: 0 };
  if (module === 'cluster') return { isWorker: false, isPrimary: true, isMaster: true };
  return {};
}

/** A module that loads and cannot be used. */
export function refusedModule(
  seat: Seat,
  module: string,
  host: (name: string) => unknown,
): Record<string, unknown> {
  const list = NAMES[module.replace('/promises', '')] ?? '';
  const exports: Record<string, unknown> = {};
  for (const name of list.split(/\s+/)) exports[name] = refusal(seat, `${module}.${name}`);
  Object.assign(exports, constantsOf(module, host));
  if (module === 'dns') exports['promises'] = refusedModule(seat, 'dns/promises', host);
  return exports;
}
