/** On a machine with another time zone or language, dates and texts answer as with UTC and en-US during a run. */
import type { Swap } from './swaps.js';
import { UTC_METHODS } from './realm/zone.js';

const LOCALE = 'en-US';
const format = new Intl.DateTimeFormat();
const { timeZone, locale } = format.resolvedOptions();

const differsInZone = !['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT'].includes(timeZone);
const differsInLanguage = locale !== LOCALE;

export const hostDiffers = (): boolean => differsInZone || differsInLanguage;

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Holder = Record<string, Method>;

/** Each with the position of its argument that names the locale. */
const LOCALIZED: readonly (readonly [object, string, number])[] = [
  [String.prototype, 'localeCompare', 1],
  [String.prototype, 'toLocaleLowerCase', 0],
  [String.prototype, 'toLocaleUpperCase', 0],
  [Number.prototype, 'toLocaleString', 0],
  [BigInt.prototype, 'toLocaleString', 0],
  [Array.prototype, 'toLocaleString', 0],
];

function replace(holder: Holder, key: string, replacement: Method): Swap {
  let original = holder[key] as Method;
  return {
    route: key,
    apply() {
      original = holder[key] as Method;
      holder[key] = replacement;
    },
    restore() {
      holder[key] = original;
    },
  };
}

function withLocale(real: Method, position: number): Method {
  return function (...args) {
    if (args[position] === undefined) args[position] = LOCALE;
    return real.apply(this, args);
  };
}

/** Only worth their time on a machine that differs. */
export function localeSwaps(): Swap[] {
  const made: Swap[] = [];
  for (const [holder, key, position] of LOCALIZED) {
    made.push(replace(holder as Holder, key, withLocale((holder as Holder)[key] as Method, position)));
  }
  for (const [key, method] of Object.entries(UTC_METHODS)) {
    made.push(replace(Date.prototype as unknown as Holder, key, method as Method));
  }
  return made;
}
