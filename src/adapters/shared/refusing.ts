import type { Lock } from '../../contract.js';

/** Stands for a lock that can't do what an option asks for. */
export function refusing(why: string): Lock {
  return { acquire: () => Promise.reject(new RangeError(why)) };
}

/** Why a library that does not renew by itself refuses the option "watchdog". */
export function neverRenews(name: string): string {
  return `${name} does not renew by itself: no option "watchdog"`;
}
