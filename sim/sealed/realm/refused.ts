import { escape, named } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

const CONNECTS = /^(fetch|WebSocket|EventSource|(net|tls|dns|http|https|http2|dgram)\b)/;
const NAMES_PORT_FIRST = /^(net|tls)\./;
const RUNS_OR_OPENS = /^(Worker|(fs|child_process|worker_threads|cluster)\b)/;

/** The target of a call by its arguments: `10.0.0.1:6379`, a URL, a path, a command. */
function targetOf(route: string, [first, second]: readonly unknown[]): string | null {
  if (typeof first === 'string') return first;
  const name = typeof second === 'string' ? second : 'localhost';
  if (typeof first === 'number') return NAMES_PORT_FIRST.test(route) ? `${name}:${first}` : null;
  if (typeof first !== 'object' || first === null) return null;
  const { host, hostname, port, path, url, href } = first as Record<string, unknown>;
  for (const address of [href, url]) if (typeof address === 'string') return address;
  const named = [host, hostname].find((given) => typeof given === 'string') as string | undefined;
  if (port !== undefined) return `${named ?? 'localhost'}:${String(port)}`;
  return named ?? (typeof path === 'string' ? path : null);
}

/** What was attempted, in words: `net.connect to 10.0.0.1:6379`, `child_process.exec: date`. */
export function describeAttempt(route: string, args: readonly unknown[]): string {
  const connects = CONNECTS.test(route);
  const target = connects || RUNS_OR_OPENS.test(route) ? targetOf(route, args) : null;
  if (target === null) return route;
  return connects ? `${route} to ${target}` : `${route}: ${target}`;
}

/** A function or class that is there to be found, and ends the run when it is called. */
export function refusal(seat: Seat, route: string): AnyFunction {
  const refused = named(route.slice(route.lastIndexOf('.') + 1), function (...args: unknown[]): never {
    return escape(seat, describeAttempt(route, args), refused);
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
