import { MODULES } from '../surface.js';
import type { AnyFunction } from './seat.js';

type Make = () => unknown;

/** What Node throws for a module that is not there: optional requires rely on its code. */
export function moduleNotFound(name: string): Error {
  const error = new Error(`Cannot find module '${name}' (a sealed process has only the modules it may use)`);
  return Object.assign(error, { code: 'MODULE_NOT_FOUND' });
}

/** The sealed `require`: made on first use, from the table of the surface; anything else is not found. */
export function makeRequire(makers: Readonly<Record<string, Make>>): AnyFunction {
  const made = new Map<string, unknown>();
  const plain = (name: string): string => (name.startsWith('node:') ? name.slice(5) : name);
  const require = (given: unknown): unknown => {
    const name = plain(String(given));
    if (made.has(name)) return made.get(name);
    const make = makers[name];
    if (make === undefined || !Object.hasOwn(makers, name)) throw moduleNotFound(String(given));
    const module = make();
    made.set(name, module);
    return module;
  };
  const resolve = (given: unknown): string => {
    if (!Object.hasOwn(makers, plain(String(given)))) throw moduleNotFound(String(given));
    return plain(String(given));
  };
  return Object.assign(require, { resolve, cache: {}, main: undefined });
}

/** The module `module`. */
export function makeModuleModule(require: AnyFunction): Record<string, unknown> {
  const builtinModules = Object.keys(MODULES);
  const isBuiltin = (name: string): boolean => builtinModules.includes(name.replace(/^node:/, ''));
  return { createRequire: () => require, isBuiltin, builtinModules };
}
