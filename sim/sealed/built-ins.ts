/**
 * Built-ins are shared by all processes and by the simulator: a module that changes one would reach them all. They are
 * remembered before a load and compared after it; what was changed is put back and named.
 */
import { builtin } from './builtins.js';

interface Remembered {
  readonly label: string;
  readonly target: object;
  readonly keys: readonly (string | symbol)[];
  readonly descriptors: readonly PropertyDescriptor[];
  /** Values of data properties by the position of their key; of accessors undefined. */
  readonly values: readonly unknown[];
  /** Positions of accessors. */
  readonly accessors: readonly number[];
  /** Keys with those that are excused. */
  readonly count: number;
}

const CLASSES =
  `Object Function Array String Number Boolean Symbol BigInt Promise RegExp Map Set WeakMap WeakSet Date Error
  TypeError RangeError ArrayBuffer Uint8Array DataView Buffer`.split(/\s+/);
const FUNCTION_MODULES = [
  ['events', 'EventEmitter'],
  ['stream', 'Stream'],
  ['assert', 'assert'],
] as const;
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
  // Modules that are functions cannot be handed out as copies.
  for (const [name, label] of FUNCTION_MODULES) {
    const made = builtin(name) as ({ prototype?: object } & object) | undefined;
    if (made === undefined) continue;
    list.push([label, made]);
    if (typeof made.prototype === 'object') list.push([`${label}.prototype`, made.prototype]);
  }
  return list;
}

function remember(label: string, target: object): Remembered {
  const all = Reflect.ownKeys(target);
  const keys = all.filter((key) => !EXCUSED.has(key));
  const descriptors = keys.map((key) => Object.getOwnPropertyDescriptor(target, key) as PropertyDescriptor);
  const accessors = [...keys.keys()].filter((index) => descriptors[index]?.get !== undefined);
  const values = descriptors.map(({ value }) => value as unknown);
  return { label, target, keys, descriptors, values, accessors, count: all.length };
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

/** Reads data properties straight, which is cheap, and accessors through their descriptors. */
function changesOf(place: Remembered, report: (change: Change) => void): void {
  const { keys, values, descriptors, accessors } = place;
  const target = place.target as Record<string | symbol, unknown>;
  let next = 0;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string;
    if (index === accessors[next]) {
      next += 1;
      const now = Object.getOwnPropertyDescriptor(target, key);
      if (now?.get !== descriptors[index]?.get) report({ place, key, added: false });
    } else if (target[key] !== values[index] && !Object.is(target[key], values[index])) {
      report({ place, key, added: false });
    }
  }
  const now = Reflect.ownKeys(target);
  if (now.length === place.count) return;
  const known = new Set(keys);
  for (const key of now) if (!known.has(key) && !EXCUSED.has(key)) report({ place, key, added: true });
}

export interface BuiltInCheck {
  /** The first change that matters (`Array.prototype.flat`); null: none. */
  readonly changed: string | null;
  /** Nothing at all was changed or added. */
  readonly untouched: boolean;
}

/**
 * Compares the built-ins with those remembered and puts back what changed. A name added to a class is only taken away again, if it can
 * be: the next process must not find what this one left there.
 */
export function checkBuiltIns(): BuiltInCheck {
  const changes: Change[] = [];
  for (const place of remembered) changesOf(place, (change) => changes.push(change));
  for (const change of changes) putBack(change);
  const serious = changes.find(({ added, place }) => !added || place.label.endsWith('.prototype'));
  const changed = serious === undefined ? null : `${serious.place.label}.${String(serious.key)}`;
  return { changed, untouched: changes.length === 0 };
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
