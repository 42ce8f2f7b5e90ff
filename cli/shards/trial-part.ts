/** The partial result of a trial, `lockpick/trial-shard@1`: every n-th lock. */
import path from 'node:path';
import * as z from 'zod';
import { canonicalJson } from '../../sim/history/jsonl.js';
import { VERSION } from '../../sim/version.js';
import { CommandError } from '../exit.js';
import type { Shard } from '../flags.js';
import type { TrialResult } from '../trial/trial.js';
import { check, checkWhole, partSchema } from './parts.js';

export const TRIAL_PART = 'lockpick/trial-shard@1';

const named = z.looseObject({ name: z.string() });

/** What merging relies on; all of it was written by this very version. */
const trialPartSchema = partSchema.extend({
  format: z.literal(TRIAL_PART),
  /** What was asked for: the locks of the whole, and what changes their runs. */
  asked: z.strictObject({
    locks: z.array(z.string()),
    seed: z.int().nonnegative().nullable(),
    huntRuns: z.int().nonnegative(),
  }),
  locks: z.array(named.extend({ findings: z.array(z.looseObject({})), runs: z.int().nonnegative() })),
  lost: z.array(named),
  seconds: z.number().nonnegative(),
  interrupted: z.boolean(),
});

export type TrialAsked = z.output<typeof trialPartSchema>['asked'];

export function trialPartFile(out: string, { index, of }: Shard): string {
  return path.join(out, `trial-shard${index}of${of}.json`);
}

export function trialPart(result: TrialResult, asked: TrialAsked, shard: Shard): object {
  const { locks, lost, seconds, interrupted } = result;
  return { format: TRIAL_PART, lockpick: VERSION, shard, asked, locks, lost, seconds, interrupted };
}

/** @throws CommandError, FileFormatError */
export function mergeTrialParts(documents: readonly { file: string; document: unknown }[]): TrialResult {
  const files = checkWhole(
    documents.map(({ file, document }) => ({ file, part: check(trialPartSchema, document, file) })),
  );
  const [first] = files;
  const { asked } = first!.part;
  for (const { file, part } of files)
    if (canonicalJson(part.asked) !== canonicalJson(asked))
      throw new CommandError(
        `${file} and ${first!.file} are parts of different trials: other locks, another --seed or other --hunt-runs`,
      );
  const results = files.map(({ part }) => part as unknown as TrialResult);
  const place = ({ name }: { readonly name: string }): number => asked.locks.indexOf(name);
  const byPlace = (a: { readonly name: string }, b: { readonly name: string }): number => place(a) - place(b);
  return {
    locks: results.flatMap(({ locks }) => locks).sort(byPlace),
    lost: results.flatMap(({ lost }) => lost).sort(byPlace),
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    interrupted: results.some(({ interrupted }) => interrupted),
  };
}
