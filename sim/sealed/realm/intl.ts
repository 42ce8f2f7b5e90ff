import { hide } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

const LOCALE = 'en-US';
const RealIntl = Intl;

type AnyClass = (new (...args: any[]) => object) & Record<string, unknown>;

/** The same class with another default locale (and, for dates, time zone); usable without `new`, as some are. */
function withDefaults(Real: AnyClass, defaults: object | null, seat: Seat): AnyClass {
  const prototype = Object.create(Real.prototype as object) as object;
  function Sealed(locales: unknown, options: unknown): object {
    const given = typeof options === 'object' && options !== null ? options : {};
    const settings = defaults === null ? options : { ...defaults, ...given };
    return Reflect.construct(Real, [locales ?? LOCALE, settings], new.target ?? Sealed) as object;
  }
  hide(prototype, { constructor: Sealed });
  if (Real === (RealIntl.DateTimeFormat as unknown)) hideFormats(prototype, seat);
  Object.defineProperties(Sealed, {
    name: { value: Real.name, configurable: true },
    prototype: { value: prototype, writable: false },
  });
  hide(Sealed, { supportedLocalesOf: Real['supportedLocalesOf'] });
  return Sealed as unknown as AnyClass;
}

/** `format()` and `formatToParts()` without an argument mean now: the virtual one. */
function hideFormats(prototype: object, seat: Seat): void {
  const real = RealIntl.DateTimeFormat.prototype;
  const getFormat = Object.getOwnPropertyDescriptor(real, 'format')?.get as (this: object) => AnyFunction;
  Object.defineProperty(prototype, 'format', {
    configurable: true,
    get(this: object) {
      const format = getFormat.call(this);
      return (date?: unknown) => format(date === undefined ? seat.services.wallMs() : date);
    },
  });
  hide(prototype, {
    formatToParts(this: Intl.DateTimeFormat, date?: Date | number) {
      return real.formatToParts.call(this, date === undefined ? seat.services.wallMs() : date);
    },
  });
}

/** The virtual `Intl`. */
export function makeIntl(seat: Seat): typeof Intl {
  const descriptors = Object.getOwnPropertyDescriptors(RealIntl) as PropertyDescriptorMap;
  for (const [name, descriptor] of Object.entries(descriptors)) {
    const Real = descriptor.value as unknown;
    if (typeof Real !== 'function' || !/^[A-Z]/.test(name) || name === 'Locale') continue;
    const defaults = name === 'DateTimeFormat' ? { timeZone: 'UTC' } : null;
    descriptor.value = withDefaults(Real as AnyClass, defaults, seat);
  }
  return Object.create(Object.prototype, descriptors) as typeof Intl;
}
