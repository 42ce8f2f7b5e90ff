/**
 * Node's own modules that a sealed program may see or that the realm builds on. The realm imports none of them: they
 * are handed in, so that the same realm runs in a browser with whatever the page provides.
 */
export type BuiltinTable = Readonly<Record<string, unknown>>;

let table: BuiltinTable | null = null;

/** Hands in the modules; `node-builtins.ts` does it in Node. */
export function provideBuiltins(modules: BuiltinTable): void {
  table = modules;
}

interface Host {
  getBuiltinModule?: (name: string) => unknown;
}
const host = (globalThis as { process?: Host }).process;
const getBuiltin = host?.getBuiltinModule?.bind(host);
const found = new Map<string, unknown>();

/** A module of the host by name without `node:`, or undefined where the host has none. */
export function builtin(name: string): unknown {
  if (table !== null) return table[name];
  if (getBuiltin === undefined) return undefined;
  if (!found.has(name)) found.set(name, getBuiltin(`node:${name}`));
  return found.get(name);
}
