/**
 * `lockpick/counterexample@1`: a violation as a file that replays it. It holds what decides a run (the scenario with its
 * seed, the hash of the lock's bundle, lockpick's version) and what came of it (digest, verdict and blame).
 */
import * as z from 'zod';
import { PROPERTY_IDS, scenarioSchema } from '../scenario/schema.js';

const hex256 = z.string().regex(/^[0-9a-f]{64}$/, { message: '64 hexadecimal digits' });

export const counterexampleSchema = z.strictObject({
  format: z.literal('lockpick/counterexample@1'),
  /** The whole scenario, defaults filled in; `lock.name` is the lock that ran. */
  scenario: scenarioSchema,
  lock: z.strictObject({
    name: z.string().min(1),
    /** For a lock that was given as a file: its path, relative to the directory of this counterexample. */
    path: z.string().min(1).optional(),
    /** SHA-256 of the lock's bundle; null where the lock could not say. */
    bundle: hex256.nullable(),
  }),
  versions: z.strictObject({ lockpick: z.string().min(1) }),
  /** SHA-256 of the canonical history. */
  digest: hex256,
  /** The violation this file stands for. */
  property: z.enum(PROPERTY_IDS),
  blame: z.enum(['library', 'infrastructure', 'lease', 'usage']),
  reason: z.string(),
  /** Every violation of the run, `property -> violated/<blame>`. */
  verdicts: z.partialRecord(
    z.enum(PROPERTY_IDS),
    z.string().regex(/^violated\/(library|infrastructure|lease|usage)$/),
  ),
  /** Where a hunt found it: under which assumptions, by which seed, in which run. */
  hunt: z
    .strictObject({
      assume: z.string().min(1),
      seed: z.int().nonnegative(),
      run: z.int().nonnegative(),
    })
    .optional(),
});

export type Counterexample = z.output<typeof counterexampleSchema>;
