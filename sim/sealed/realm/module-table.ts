/** How each module of the surface is made, for one realm; nothing is made before the program asks. */
import { builtin } from '../builtins.js';
import { MODULES } from '../surface.js';
import { makeCrypto, makeCryptoMembers } from './crypto.js';
import { makeFs } from './fs.js';
import {
  makeAsyncHooks,
  makeDiagnosticsChannel,
  makeModuleModule,
  makeOs,
  makeTty,
  makeUtil,
  makeZlib,
} from './modules.js';
import { makeDns, makeDnsPromises, makeNet, makeTls } from './net.js';
import { makePerfHooks } from './performance.js';
import type { Realm } from './realm.js';
import { refusedModule } from './refused.js';

type Make = (realm: Realm) => unknown;
type Members = Record<string, unknown>;

const host = (name: string): Members => (builtin(name) ?? {}) as Members;

/** A shallow copy: what one process writes on a module's object, no other sees. */
function passedModule(name: string): unknown {
  const real = builtin(name);
  return typeof real === 'object' ? { ...real } : real;
}

function cryptoFor(realm: Realm): Members {
  const { seat } = realm;
  const members = realm.reach.members.get('crypto');
  const few = members === undefined ? null : makeCryptoMembers(seat, host('crypto'), members);
  return few ?? makeCrypto(seat, host('crypto'), realm.webcrypto);
}

const VIRTUAL: Readonly<Record<string, Make>> = {
  async_hooks: ({ seat }) => makeAsyncHooks(seat, host('async_hooks') as never),
  console: (realm) => realm.console,
  crypto: cryptoFor,
  diagnostics_channel: makeDiagnosticsChannel,
  dns: (realm) => makeDns(realm.seat, realm.require('dns/promises') as Members),
  'dns/promises': ({ seat }) => makeDnsPromises(seat),
  fs: ({ seat, options }) => makeFs(seat, options.readOwnFile),
  'fs/promises': (realm) => (realm.require('fs') as Members)['promises'],
  module: (realm) => makeModuleModule(realm.require),
  net: ({ seat }) => makeNet(seat),
  os: ({ seat }) => makeOs(seat),
  perf_hooks: (realm) => makePerfHooks(realm.performance),
  process: (realm) => realm.process,
  timers: (realm) => ({ ...realm.timers, promises: realm.promises }),
  'timers/promises': (realm) => realm.promises,
  tls: ({ seat }) => makeTls(seat),
  tty: ({ seat }) => makeTty(seat),
  util: ({ seat }) => makeUtil(seat, host('util')),
  zlib: ({ seat }) => makeZlib(seat, host('zlib')),
};

const MAKERS = new Map<string, Make>();
for (const [name, { how }] of Object.entries(MODULES)) {
  const make = VIRTUAL[name];
  if (make !== undefined) MAKERS.set(name, make);
  else if (how === 'refused') MAKERS.set(name, ({ seat }) => refusedModule(seat, name, builtin));
  else MAKERS.set(name, () => passedModule(name));
}

/** How a module by its name without `node:` is made; a passed module that this host does not have is not there. */
export function moduleMaker(realm: Realm, name: string): Make | undefined {
  const given = realm.options.modules;
  if (given !== undefined && Object.hasOwn(given, name)) return () => given[name];
  if (MODULES[name]?.how === 'passed' && builtin(name) === undefined) return undefined;
  return MAKERS.get(name);
}
