import { EscapeError } from '../errors.js';
import type { ProcessServices } from '../services.js';

export type AnyFunction = (...args: any[]) => any;

/**
 * Where an instance sits: everything in its realm reads the services of its current run from here, at each call, so
 * that an instance can move to another run although the program captured its globals when it loaded.
 */
export interface Seat {
  services: ProcessServices;
  /** Set once the program asks for `async_hooks`: carries the async context over virtual timers and ticks. */
  keepContext: (<F extends AnyFunction>(callback: F) => F) | null;
  /** Restores a part of the realm to how it was after load, or to how it is in a new process. */
  readonly resets: (() => void)[];
}

/** Reports the attempt to the run and throws it at the program. */
export function escape(seat: Seat, route: string, below?: AnyFunction): never {
  const error = new EscapeError(route, below);
  seat.services.escaped(error);
  throw error;
}

/** Names a function as Node would, for `fn.name` and stacks. */
export function named<F extends AnyFunction>(name: string, fn: F): F {
  Object.defineProperty(fn, 'name', { value: name, configurable: true });
  return fn;
}

/** Adds members that neither `Object.keys` nor a spread shows. */
export function hide(target: object, members: Readonly<Record<string | symbol, unknown>>): void {
  for (const key of Reflect.ownKeys(members)) {
    Object.defineProperty(target, key, {
      value: members[key as string],
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }
}

/** The error Node raises for an argument of the wrong type. */
export function invalidArgument(name: string, wanted: string, got: unknown): TypeError {
  const seen = got === null ? 'null' : typeof got;
  const error = new TypeError(`The "${name}" argument must be ${wanted}. Received ${seen}`);
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}
