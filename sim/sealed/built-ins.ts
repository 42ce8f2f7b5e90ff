/**
 * Built-ins are shared by all processes and by the simulator: a module that changes one would reach them all. They are
 * remembered before a load and compared after it; what was changed is put back and named.
 */
import { builtin } from './builtins.js';

interface Remembered {
  readonly label: string;
  readonly target: object;
  readonly keys: readonly (string | symbol)[];
  /** Of data properties the value, of accessors the getter. */
  readonly values: readonly unknown[];
  readonly descriptors: readonly PropertyDescriptor[];
}

const CLASSES =
  `Object Function Array String Number Boolean Symbol BigInt Promise RegExp Map Set WeakMap WeakSet Date Error
  TypeError RangeError ArrayBuffer Uint8Array DataView`.split(/\s+/);
const NAMESPACES = ['JSON', 'Reflect', 'Math'];
/** Changed by well-behaved programs, and restored by the guard. */
const EXCUSED = new Set<string | symbol>(['stackTraceLimit', 'prepareStackTrace']);

function targets(): [string, object][] {
  const real = globalThis as unknown as Record<string, { prototype: object }>;
  const list: [string, object][] = [];
  for (const name of CLASSES) {
    const made = real[name];
    if (made !== undefined) list.push([name, made], [`${name}.prototype`, made.prototype]);
  }
  for (const name of NAMESPACES) list.push([name, real[name] as object]);
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object;
  list.push(['Iterator.prototype', iterator]);
  const emitter = builtin('events') as { prototype?: object } | undefined;
  if (emitter?.prototype !== undefined) list.push(['EventEmitter.prototype', emitter.prototype]);
  return list;
}

/** The value of a data property; for an accessor its getter. Reads no accessor. */
function valueOf(target: object, key: string | symbol): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(target, key);
  return descriptor === undefined ? undefined : (descriptor.get ?? descriptor.value);
}

function remember(label: string, target: object): Remembered {
  const keys = Reflect.ownKeys(target).filter((key) => !EXCUSED.has(key));
  const descriptors = keys.map((key) => Object.getOwnPropertyDescriptor(target, key) as PropertyDescriptor);
  return {
    label,
    target,
    keys,
    values: descriptors.map(({ get, value }) => get ?? (value as unknown)),
    descriptors,
  };
}

let remembered: Remembered[] = [];

/** Looks at all built-ins as they are now. */
export function rememberBuiltIns(): void {
  let changed = remembered.length === 0;
  for (const place of remembered) changesOf(place, () => (changed = true));
  if (changed) remembered = targets().map(([label, target]) => remember(label, target));
}

interface Change {
  readonly place: Remembered;
  readonly key: string | symbol;
  /** The name is new. Harmless on a class (bluebird keeps its error classes on `Error`), not on a prototype. */
  readonly added: boolean;
}

function changesOf(place: Remembered, report: (change: Change) => void): void {
  const { target, keys, values } = place;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    if (!Object.is(valueOf(target, key), values[index])) report({ place, key, added: false });
  }
  const now = Reflect.ownKeys(target);
  if (now.length <= keys.length) return;
  const known = new Set(keys);
  for (const key of now) if (!known.has(key) && !EXCUSED.has(key)) report({ place, key, added: true });
}

/**
 * Compares the built-ins with those remembered, puts back what changed, and names the first change that matters
 * (`Array.prototype.flat`); null: none. A name added to a class is only taken away again: the next process must not
 * find what this one left there.
 */
export function checkBuiltIns(): string | null {
  const changes: Change[] = [];
  for (const place of remembered) changesOf(place, (change) => changes.push(change));
  for (const change of changes) putBack(change);
  const serious = changes.find(({ added, place }) => !added || place.label.endsWith('.prototype'));
  return serious === undefined ? null : `${serious.place.label}.${String(serious.key)}`;
}

function putBack({ place, key, added }: Change): void {
  if (added) Reflect.deleteProperty(place.target, key);
  else
    Reflect.defineProperty(
      place.target,
      key,
      place.descriptors[place.keys.indexOf(key)] as PropertyDescriptor,
    );
}
