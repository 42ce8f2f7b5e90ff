/** Globals that are the host's but for one thing. */
import { refusal } from './refused.js';
import { invalidArgument } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

const settled = Promise.resolve();

/** The host's would end the host when the callback throws; here it is uncaught in the process. */
export function makeQueueMicrotask(seat: Seat): (callback: AnyFunction) => void {
  return function queueMicrotask(callback) {
    if (typeof callback !== 'function') throw invalidArgument('callback', 'of type function', callback);
    void settled.then(() => {
      try {
        callback();
      } catch (error) {
        seat.services.nextTick(() => {
          throw error;
        });
      }
    });
  };
}

const realClone = globalThis.structuredClone as typeof structuredClone | undefined;

/** Clones are made outside and come with the host's prototypes: a date gets the process's. */
export function makeClone(VirtualDate: DateConstructor): AnyFunction {
  return function structuredClone(value: unknown, options?: StructuredSerializeOptions): unknown {
    const copy: unknown = realClone?.(value, options);
    return copy instanceof VirtualDate ? new VirtualDate(copy) : copy;
  };
}

/** Waiting would block the simulator, or wake by the host's event loop. */
export function makeAtomics(seat: Seat): object {
  const descriptors = Object.getOwnPropertyDescriptors(Atomics) as PropertyDescriptorMap;
  for (const name of ['wait', 'waitAsync']) {
    descriptors[name] = { value: refusal(seat, `Atomics.${name}`), writable: true, configurable: true };
  }
  return Object.create(Object.prototype, descriptors) as object;
}

interface Wasm {
  Module: new (bytes: unknown) => object;
  Instance: new (module: object, imports?: unknown) => object;
}

/** Compiles at once, also where the host would do so on its own threads. */
export function makeWebAssembly(): object | undefined {
  const real = (globalThis as { WebAssembly?: Wasm & object }).WebAssembly;
  if (real === undefined) return undefined;
  const descriptors = Object.getOwnPropertyDescriptors(real) as PropertyDescriptorMap;
  const member = (value: AnyFunction): PropertyDescriptor => ({ value, writable: true, configurable: true });
  descriptors['compile'] = member(async (bytes: unknown) => new real.Module(bytes));
  descriptors['instantiate'] = member(async (source: object, imports?: unknown) => {
    if (source instanceof real.Module) return new real.Instance(source, imports);
    const module = new real.Module(source);
    return { module, instance: new real.Instance(module, imports) };
  });
  delete descriptors['compileStreaming'];
  delete descriptors['instantiateStreaming'];
  return Object.create(Object.prototype, descriptors) as object;
}
