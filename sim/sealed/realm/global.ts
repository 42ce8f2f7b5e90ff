import { GLOBALS } from '../surface.js';

const hasOwn = Object.hasOwn;

/**
 * The virtual global object: no prototype (the real one's leads back to the host), the names of the surface and
 * nothing else.
 */
export function makeGlobal(values: Record<string, unknown>): object {
  const sealed = Object.create(null) as Record<string, unknown>;
  for (const name of Object.keys(GLOBALS)) {
    const real = globalThis as unknown as Record<string, unknown>;
    if (!hasOwn(values, name) && !hasOwn(real, name)) continue;
    const value = hasOwn(values, name) ? values[name] : real[name];
    Object.defineProperty(sealed, name, { value, writable: true, configurable: true, enumerable: false });
  }
  for (const name of ['globalThis', 'global', 'self']) {
    Object.defineProperty(sealed, name, { value: sealed, writable: true, configurable: true });
    values[name] = sealed;
  }
  Object.defineProperty(sealed, Symbol.toStringTag, { value: 'global', configurable: true });
  return sealed;
}
