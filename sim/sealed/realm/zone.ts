/**
 * Time zone UTC and locale en-US: the local-time methods of a date, answered as on a machine that keeps UTC. A program
 * must behave the same wherever it runs.
 */
const RealDate = Date;
const inUtc = { timeZone: 'UTC' } as const;

const TWINS = ['Date', 'Day', 'FullYear', 'Hours', 'Milliseconds', 'Minutes', 'Month', 'Seconds'] as const;

type Method = (this: Date, ...args: any[]) => unknown;

function utcTwins(): Record<string, Method> {
  const prototype = RealDate.prototype as unknown as Record<string, Method>;
  const methods: Record<string, Method> = {};
  for (const part of TWINS) {
    methods[`get${part}`] = prototype[`getUTC${part}`] as Method;
    const setter = prototype[`setUTC${part}`];
    if (setter !== undefined) methods[`set${part}`] = setter;
  }
  return methods;
}

/** `Thu, 01 Jan 1970 00:00:00 GMT` in the order of `toString`. */
function dayOf(date: Date): string {
  const [weekday, day, month, year] = date.toUTCString().split(' ') as [string, string, string, string];
  return `${weekday.slice(0, 3)} ${month} ${day} ${year}`;
}

function timeOf(date: Date): string {
  return `${date.toUTCString().split(' ')[4]} GMT+0000 (Coordinated Universal Time)`;
}

const isValid = (date: Date): boolean => !Number.isNaN(date.getTime());
const { toLocaleDateString, toLocaleTimeString, toLocaleString } = RealDate.prototype;

/** Local-time methods of `Date.prototype` by name, as UTC has them. */
export const UTC_METHODS: Readonly<Record<string, Method>> & ThisType<Date> = {
  ...utcTwins(),
  getTimezoneOffset() {
    return isValid(this) ? 0 : NaN;
  },
  getYear() {
    return this.getUTCFullYear() - 1900;
  },
  setYear(year: number) {
    return this.setUTCFullYear(year >= 0 && year <= 99 ? 1900 + Math.trunc(year) : year);
  },
  toString() {
    return isValid(this) ? `${dayOf(this)} ${timeOf(this)}` : 'Invalid Date';
  },
  toDateString() {
    return isValid(this) ? dayOf(this) : 'Invalid Date';
  },
  toTimeString() {
    return isValid(this) ? timeOf(this) : 'Invalid Date';
  },
  toLocaleString(locales: Intl.LocalesArgument = 'en-US', options?: Intl.DateTimeFormatOptions) {
    return toLocaleString.call(this, locales, { ...inUtc, ...options });
  },
  toLocaleDateString(locales: Intl.LocalesArgument = 'en-US', options?: Intl.DateTimeFormatOptions) {
    return toLocaleDateString.call(this, locales, { ...inUtc, ...options });
  },
  toLocaleTimeString(locales: Intl.LocalesArgument = 'en-US', options?: Intl.DateTimeFormatOptions) {
    return toLocaleTimeString.call(this, locales, { ...inUtc, ...options });
  },
};

const ISO_WITHOUT_ZONE = /^[+-]?\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?$/;
const ISO_DATE = /^[+-]?\d{4,6}(-\d\d(-\d\d)?)?$/;
const NAMED_ZONE = /(Z|GMT|UTC|UT|[ECMP][SD]T|[+-]\d\d:?\d\d)\s*(\(.*\))?\s*$/i;

/** `Date.parse` on a machine that keeps UTC: a string that names no zone is UTC. */
export function parseUtc(text: string): number {
  if (ISO_DATE.test(text)) return RealDate.parse(text);
  if (ISO_WITHOUT_ZONE.test(text)) return RealDate.parse(`${text}Z`);
  if (NAMED_ZONE.test(text)) return RealDate.parse(text);
  return RealDate.parse(`${text} UTC`);
}
