import type { Seat } from './seat.js';
import { UTC_METHODS, parseUtc } from './zone.js';

const RealDate = Date;
const hasInstance = Function.prototype[Symbol.hasInstance];

function construct(seat: Seat, args: unknown[], target: AnyConstructor): Date {
  const { length } = args;
  if (length === 0) return Reflect.construct(RealDate, [seat.services.wallMs()], target) as Date;
  if (length > 1) {
    return Reflect.construct(RealDate, [RealDate.UTC(...(args as [number, number]))], target) as Date;
  }
  const only = args[0];
  const value = only instanceof RealDate ? only.getTime() : only;
  const primitive = typeof value === 'object' && value !== null ? toPrimitive(value) : value;
  const ms = typeof primitive === 'string' ? parseUtc(primitive) : primitive;
  return Reflect.construct(RealDate, [ms], target) as Date;
}

type AnyConstructor = new (...args: any[]) => unknown;

function toPrimitive(value: object): unknown {
  const exotic = (value as Record<symbol, unknown>)[Symbol.toPrimitive];
  if (typeof exotic === 'function') return Reflect.apply(exotic, value, ['default']);
  const plain: unknown = value.valueOf();
  return typeof plain === 'object' ? String(value) : plain;
}

/** Between the real prototype and each realm's own: local time is UTC. */
const UTC_PROTOTYPE = Object.create(
  RealDate.prototype,
  Object.fromEntries(
    Object.entries({ ...UTC_METHODS, constructor: undefined }).map(([name, value]) => [
      name,
      { value, writable: true, configurable: true, enumerable: false },
    ]),
  ),
) as Date;

/** All of `Date` that a program needs which only ever calls `Date.now()`. */
export function makeNow(seat: Seat): { now(): number } {
  return { now: () => seat.services.wallMs() };
}

/**
 * The virtual `Date`: a plain function, because a subclass of `Date` shows the real one as its prototype. Its instances
 * are real dates with a prototype of the realm's own in between, which answers `constructor` and local time.
 */
export function makeDate(seat: Seat): DateConstructor {
  function VirtualDate(...args: unknown[]): unknown {
    if (new.target === undefined) {
      return (UTC_METHODS['toString'] as () => string).call(new RealDate(seat.services.wallMs()));
    }
    return construct(seat, args, new.target as unknown as AnyConstructor);
  }
  const prototype = Object.create(UTC_PROTOTYPE) as Date;
  Object.defineProperty(prototype, 'constructor', { value: VirtualDate, writable: true, configurable: true });
  const plain = { writable: true, configurable: true };
  Object.defineProperties(VirtualDate, {
    name: { value: 'Date', configurable: true },
    length: { value: 7, configurable: true },
    prototype: { value: prototype, writable: false },
    now: { value: () => seat.services.wallMs(), ...plain },
    parse: { value: (text: unknown) => parseUtc(String(text)), ...plain },
    UTC: { value: RealDate.UTC, ...plain },
    [Symbol.hasInstance]: {
      value(this: unknown, value: unknown): boolean {
        return this === VirtualDate ? value instanceof RealDate : hasInstance.call(this as () => void, value);
      },
    },
  });
  return VirtualDate as unknown as DateConstructor;
}
