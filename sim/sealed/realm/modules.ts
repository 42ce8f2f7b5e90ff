/** Small modules that a program may require: each is the host's without what reads the machine. */
import { MODULES } from '../surface.js';
import type { AnyFunction, Seat } from './seat.js';
import { refusal } from './refused.js';

type Members = Record<string, unknown>;

export function makeOs(seat: Seat): Members {
  return {
    EOL: '\n',
    devNull: '/dev/null',
    constants: { signals: { SIGINT: 2, SIGTERM: 15, SIGKILL: 9 }, errno: {} },
    hostname: () => seat.services.host,
    platform: () => 'linux',
    type: () => 'Linux',
    release: () => '6.1.0',
    version: () => '#1',
    arch: () => 'x64',
    machine: () => 'x86_64',
    endianness: () => 'LE',
    homedir: () => '/root',
    tmpdir: () => '/tmp',
    cpus: () => [],
    availableParallelism: () => 1,
    loadavg: () => [0, 0, 0],
    totalmem: () => 2 ** 32,
    freemem: () => 2 ** 31,
    uptime: () => seat.services.monotonicMs() / 1000,
    networkInterfaces: () => ({}),
    userInfo: () => ({ username: 'root', uid: 0, gid: 0, shell: '/bin/sh', homedir: '/root' }),
  };
}

/** The host's `util` without what reads its environment, its clocks or its console. */
export function makeUtil(seat: Seat, host: Members): Members {
  const silent = Object.assign(() => undefined, { enabled: false });
  const { transferableAbortController, transferableAbortSignal, aborted, log, ...rest } = host;
  return {
    ...rest,
    debuglog: () => silent,
    debug: () => silent,
    deprecate: <F>(fn: F): F => fn,
    log: (...args: unknown[]) => seat.services.printed('log', args.map(String).join(' ')),
  };
}

/** The host's `zlib`: what it does at once depends on its arguments alone, the rest runs on the thread pool. */
export function makeZlib(seat: Seat, host: Members): Members {
  const sealed: Members = {};
  for (const [name, member] of Object.entries(host)) {
    const passes = typeof member !== 'function' || name.endsWith('Sync') || name === 'crc32';
    sealed[name] = passes ? member : refusal(seat, `zlib.${name}`);
  }
  return sealed;
}

export function makeTty(seat: Seat): Members {
  return {
    isatty: () => false,
    ReadStream: refusal(seat, 'tty.ReadStream'),
    WriteStream: refusal(seat, 'tty.WriteStream'),
  };
}

/** Channels that nobody subscribes to. */
export function makeDiagnosticsChannel(): Members {
  class Channel {
    readonly hasSubscribers = false;
    readonly name: string | symbol;
    constructor(name: string | symbol) {
      this.name = name;
    }
    publish(): void {}
    subscribe(): void {}
    unsubscribe(): boolean {
      return false;
    }
    bindStore(): void {}
    unbindStore(): boolean {
      return false;
    }
    runStores(_data: unknown, fn: AnyFunction, self?: unknown, ...args: unknown[]): unknown {
      return fn.apply(self, args);
    }
  }
  const channels = new Map<string | symbol, Channel>();
  const channel = (name: string | symbol): Channel => {
    const known = channels.get(name) ?? new Channel(name);
    channels.set(name, known);
    return known;
  };
  const run = (fn: AnyFunction, _context?: unknown, self?: unknown, ...args: unknown[]): unknown =>
    fn.apply(self, args);
  const tracingChannel = (): Members => ({
    hasSubscribers: false,
    traceSync: run,
    tracePromise: run,
    traceCallback: (
      fn: AnyFunction,
      _position: unknown,
      _context: unknown,
      self: unknown,
      ...args: unknown[]
    ) => fn.apply(self, args),
    subscribe: () => undefined,
    unsubscribe: () => false,
  });
  return {
    Channel,
    channel,
    hasSubscribers: () => false,
    subscribe: () => undefined,
    unsubscribe: () => false,
    tracingChannel,
  };
}

interface AsyncHooksHost {
  readonly AsyncLocalStorage: new (...args: any[]) => object;
  readonly AsyncResource: { bind<F extends AnyFunction>(callback: F): F };
}

/**
 * The first store that is made lets virtual timers, ticks and immediates carry the async context. Not before: carrying
 * costs, and some packages ask for the module without ever making one.
 */
export function makeAsyncHooks(seat: Seat, host: AsyncHooksHost): Members {
  const { AsyncResource } = host;
  class AsyncLocalStorage extends host.AsyncLocalStorage {
    constructor(...args: any[]) {
      super(...args);
      seat.keepContext ??= (callback) => AsyncResource.bind(callback);
    }
  }
  return { AsyncLocalStorage, AsyncResource, executionAsyncId: () => 1, triggerAsyncId: () => 0 };
}

/** The module `module`. */
export function makeModuleModule(require: AnyFunction): Record<string, unknown> {
  const builtinModules = Object.keys(MODULES);
  const isBuiltin = (name: string): boolean => builtinModules.includes(name.replace(/^node:/, ''));
  return { createRequire: () => require, isBuiltin, builtinModules };
}
