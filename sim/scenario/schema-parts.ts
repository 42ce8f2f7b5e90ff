/** Durations, counts and hosts, as all parts of a scenario write them. */
import * as z from 'zod';

/** Milliseconds, at most three decimals: true time is whole microseconds. */
export const ms = z
  .number()
  .min(0)
  .refine((value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6, {
    message: 'milliseconds carry at most three decimals',
  });
export const signedMs = z
  .number()
  .refine((value) => Math.abs(value * 1000 - Math.round(value * 1000)) < 1e-6, {
    message: 'milliseconds carry at most three decimals',
  });
/** A fixed duration, or `[least, most]` for a uniform draw. */
export const duration = z.union([
  ms,
  z.tuple([ms, ms]).refine(([least, most]) => least <= most, { message: 'the least comes first' }),
]);
export const ppm = z.number().gt(-1_000_000).lt(1_000_000);
export const count = z.int().min(0);

export const HOST_PATTERN = /^(p[1-9]\d*|redis-[1-9]\d*(-replica-[1-9]\d*)?|sentinel-[1-9]\d*|storage)$/;
export const host = z.string().regex(HOST_PATTERN, {
  message: 'a host is p1, redis-1, redis-1-replica-1, sentinel-1 or storage (with its own number)',
});
export const hosts = z.union([host, z.array(host).min(1)]);
