import { Emitter } from './emitter.js';
import { hide, invalidArgument } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

/** One version for all machines: a program that chooses by version must choose the same everywhere. */
const VERSIONS = { node: '20.19.0', v8: '11.3.244.8-node.26', uv: '1.46.0', modules: '115' } as const;

export const SEALED_ROOT = '/sealed';

/** Distinct for each host, as pids seldom are the same: some libraries build lock values with it. */
function pidOf(host: string): number {
  const number = /(\d+)$/.exec(host)?.[1];
  return 1000 + (number === undefined ? 0 : Number(number));
}

function emitterMethods(seat: Seat, emitter: Emitter, self: () => object): Record<string, AnyFunction> {
  type Name = string | symbol;
  const adder =
    (once: boolean, first: boolean) =>
    (event: Name, listener: AnyFunction): object => {
      emitter.add(event, listener, once, first);
      return self();
    };
  const remove = (event: Name, listener: AnyFunction): object => {
    emitter.remove(event, listener);
    return self();
  };
  return {
    on: adder(false, false),
    addListener: adder(false, false),
    once: adder(true, false),
    prependListener: adder(false, true),
    prependOnceListener: adder(true, true),
    off: remove,
    removeListener: remove,
    removeAllListeners: (event?: Name) => {
      emitter.removeAll(event);
      return self();
    },
    emit: (event: Name, ...args: unknown[]) => {
      if (event === 'unhandledRejection') seat.services.rejected?.(args[0]);
      return emitter.emit(self(), event, args);
    },
    listeners: (event: Name) => emitter.listeners(event),
    rawListeners: (event: Name) => emitter.listeners(event),
    listenerCount: (event: Name) => emitter.listeners(event).length,
    eventNames: () => emitter.names(),
    setMaxListeners: () => self(),
    getMaxListeners: () => 10,
  };
}

function clockMethods(seat: Seat) {
  const bigint = (): bigint => BigInt(Math.round(seat.services.monotonicMs() * 1000)) * 1000n;
  const hrtime = (since?: [number, number]): [number, number] => {
    const us = Math.round(seat.services.monotonicMs() * 1000);
    let seconds = Math.floor(us / 1e6);
    let nanoseconds = (us % 1e6) * 1000;
    if (since !== undefined) {
      seconds -= since[0];
      nanoseconds -= since[1];
      if (nanoseconds < 0) {
        seconds -= 1;
        nanoseconds += 1e9;
      }
    }
    return [seconds, nanoseconds];
  };
  return { hrtime: Object.assign(hrtime, { bigint }), uptime: () => seat.services.monotonicMs() / 1000 };
}

const MEMORY = { rss: 5e7, heapTotal: 2e7, heapUsed: 1e7, external: 1e6, arrayBuffers: 1e5 };

function streamStub(seat: Seat, level: 'log' | 'error', fd: number) {
  return {
    fd,
    isTTY: false,
    write(chunk: unknown): boolean {
      seat.services.printed(level, String(chunk).replace(/\n$/, ''));
      return true;
    },
    on: () => undefined,
    once: () => undefined,
    end: () => undefined,
  };
}

function usageMethods(): Record<string, AnyFunction> {
  return {
    memoryUsage: Object.assign(() => ({ ...MEMORY }), { rss: () => MEMORY.rss }),
    cpuUsage: () => ({ user: 0, system: 0 }),
    resourceUsage: () => ({}),
  };
}

/** The virtual `process`. `require` is the sealed one: `getBuiltinModule` must lead nowhere else. */
export function makeProcess(seat: Seat, require: (name: string) => unknown) {
  const emitter = new Emitter();
  const env: Record<string, string | undefined> = {};
  const nextTick = (callback: AnyFunction, ...args: unknown[]): void => {
    if (typeof callback !== 'function') throw invalidArgument('callback', 'of type function', callback);
    const kept = seat.keepContext === null ? callback : seat.keepContext(callback);
    seat.services.nextTick(args.length === 0 ? kept : () => kept(...args));
  };
  const virtual: Record<string, unknown> = {
    title: 'node',
    version: `v${VERSIONS.node}`,
    versions: { ...VERSIONS },
    release: { name: 'node' },
    platform: 'linux',
    arch: 'x64',
    argv: ['node', SEALED_ROOT],
    argv0: 'node',
    execArgv: [],
    execPath: '/usr/bin/node',
    ppid: 1,
    exitCode: undefined,
    config: {},
    features: {},
    env,
    nextTick,
    ...clockMethods(seat),
    cwd: () => SEALED_ROOT,
    exit: (code?: number): void =>
      seat.services.exit(code ?? (virtual['exitCode'] as number | undefined) ?? 0),
    abort: (): void => seat.services.exit(134),
    kill: (pid: number): boolean => {
      if (pid === pidOf(seat.services.host)) seat.services.exit(143);
      return true;
    },
    emitWarning: (warning: unknown): void => seat.services.printed('warn', `Warning: ${messageOf(warning)}`),
    ...usageMethods(),
    umask: () => 0o22,
    stdout: streamStub(seat, 'log', 1),
    stderr: streamStub(seat, 'error', 2),
    getBuiltinModule: (name: string): unknown => {
      try {
        return require(name);
      } catch {
        return undefined;
      }
    },
    ...emitterMethods(seat, emitter, () => virtual),
  };
  Object.defineProperty(virtual, 'pid', {
    get: () => pidOf(seat.services.host),
    enumerable: true,
    configurable: true,
  });
  hide(virtual, { [Symbol.toStringTag]: 'process' });
  let environment = env;
  const settle = (): void => {
    emitter.settle();
    environment = { ...env };
  };
  settle();
  return {
    process: virtual,
    tell: (event: string, args: readonly unknown[]): boolean => emitter.emit(virtual, event, args),
    /** Remembers listeners and environment as they are now; before, they are those of a new process. */
    settle,
    /** Puts back what was remembered. */
    reset(): void {
      emitter.reset();
      if (!sameMembers(env, environment)) replaceMembers(env, environment);
    },
  };
}

export type VirtualProcess = ReturnType<typeof makeProcess>;

type Environment = Record<string, string | undefined>;

function sameMembers(a: Environment, b: Environment): boolean {
  const names = Object.keys(a);
  const others = Object.keys(b);
  return (
    names.length === others.length &&
    names.every((name, index) => name === others[index] && a[name] === b[name])
  );
}

function replaceMembers(target: Environment, source: Environment): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, source);
}

function messageOf(warning: unknown): string {
  return warning instanceof Error ? warning.message : String(warning);
}
