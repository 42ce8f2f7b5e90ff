import { moduleMaker } from './module-table.js';
import type { Realm } from './realm.js';
import type { AnyFunction } from './seat.js';

/** What Node throws for a module that is not there: optional requires rely on its code. */
export function moduleNotFound(name: string): Error {
  const error = new Error(`Cannot find module '${name}' (a sealed process has only the modules it may use)`);
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}

/** What a native addon is met with; packages that can do without look for an error. */
export function nativeAddon(name: string): Error {
  const error = new Error(`${name} is a native addon: a sealed process runs JavaScript only`);
  return Object.assign(error, { code: 'ERR_DLOPEN_FAILED' });
}

const plain = (name: string): string => (name.startsWith('node:') ? name.slice(5) : name);

/** The sealed `require`: made on first use, from the table of the surface; anything else is not found. */
export function makeRequire(realm: Realm): AnyFunction {
  const made = new Map<string, unknown>();
  const require = (given: unknown): unknown => {
    const name = plain(String(given));
    const known = made.get(name);
    if (known !== undefined || made.has(name)) return known;
    const make = moduleMaker(realm, name);
    if (make === undefined) throw name.endsWith('.node') ? nativeAddon(name) : moduleNotFound(String(given));
    const module = make(realm);
    made.set(name, module);
    return module;
  };
  require.resolve = (given: unknown): string => {
    const name = plain(String(given));
    if (moduleMaker(realm, name) === undefined) throw moduleNotFound(String(given));
    return name;
  };
  require.cache = {};
  require.main = undefined;
  return require;
}
