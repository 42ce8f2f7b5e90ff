import { GLOBALS } from '../surface.js';
import type { Lookup } from './compile.js';
import { lazily } from './lazy.js';

const NAMES = Object.keys(GLOBALS);
const OWN = new Set(['globalThis', 'global', 'self']);

/**
 * The virtual global object: no prototype (the real one's leads back to the host), the names of the surface and
 * nothing else.
 */
export function makeGlobal(lookup: Lookup): object {
  const sealed = Object.create(null) as Record<string, unknown>;
  const real = globalThis as unknown as Record<string, unknown>;
  for (const name of NAMES) {
    if (OWN.has(name)) continue;
    if (GLOBALS[name]?.how !== 'passed') lazily(sealed, name, () => lookup(name));
    else if (Object.hasOwn(real, name)) sealed[name] = real[name];
  }
  for (const name of OWN) sealed[name] = sealed;
  // Names of a global object are not enumerable, but for this.
  for (const name of Object.keys(sealed)) Object.defineProperty(sealed, name, { enumerable: false });
  Object.defineProperty(sealed, Symbol.toStringTag, { value: 'global', configurable: true });
  return sealed;
}
