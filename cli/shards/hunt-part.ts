/** The partial result of a hunt, `lockpick/hunt-shard@1`, and how the parts become what one machine would have found. */
import path from 'node:path';
import * as z from 'zod';
import type { Finding, RawFinding } from '../../properties/search/hunt/findings.js';
import { missingGoals } from '../../properties/search/hunt/goals.js';
import { mergeRanges, type HuntRange } from '../../properties/search/hunt/range.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { canonicalJson } from '../../sim/history/jsonl.js';
import { VERSION } from '../../sim/version.js';
import { CommandError } from '../exit.js';
import type { Shard } from '../flags.js';
import type { Hunted } from '../hunt/conduct.js';
import { bySize } from '../hunt/minimise.js';
import type { HuntPlan } from '../hunt/plan.js';
import type { LostRuns } from '../hunt/search.js';
import { lockStem } from '../resolve.js';
import { check, checkWhole, partSchema, type PartFile } from './parts.js';

export const HUNT_PART = 'lockpick/hunt-shard@1';

const count = z.int().nonnegative();
const raw = z.looseObject({ key: z.string(), property: z.string(), blame: z.string(), run: count });

/** What merging relies on; all of it was written by this very version. */
const huntPartSchema = partSchema.extend({
  format: z.literal(HUNT_PART),
  /** Hash of the lock's bundle. */
  bundle: z.string().min(1),
  /** Runs of the whole. */
  runs: count,
  failOn: z.array(z.enum(['library', 'infrastructure', 'lease', 'usage'])),
  hunted: z.looseObject({
    spec: z.looseObject({ lock: z.string(), seed: count, reuse: z.boolean() }),
    range: z
      .looseObject({
        from: count,
        to: count,
        runs: count,
        coverage: z.looseObject({}),
        findings: z.array(raw),
      })
      .nullable(),
    findings: z.array(raw.extend({ scenario: z.looseObject({}), faults: count, digest: z.string() })),
    gone: z.array(raw),
    lost: z.array(z.looseObject({ raw, message: z.string() })),
    lostRuns: z.array(z.looseObject({ from: count, to: count, message: z.string() })),
    gaveUp: z.boolean(),
    corpus: z.array(z.looseObject({ file: z.string() })),
    seconds: z.number().nonnegative(),
    interrupted: z.boolean(),
  }),
});
type HuntPart = z.output<typeof huntPartSchema>;

export function huntPartFile(out: string, lock: string, { index, of }: Shard): string {
  return path.join(out, `hunt-${lockStem(lock)}-shard${index}of${of}.json`);
}

export function huntPart(
  hunted: Hunted,
  { lock, failOn }: Pick<HuntPlan, 'lock' | 'failOn'>,
  { shard, runs }: { readonly shard: Shard; readonly runs: number },
): HuntPart {
  return {
    format: HUNT_PART,
    lockpick: VERSION,
    shard,
    bundle: lock.bundle.hash,
    runs,
    failOn: [...failOn],
    hunted: hunted as unknown as HuntPart['hunted'],
  };
}

/** What all parts agree on. */
export interface HuntWhole {
  readonly hunted: Hunted;
  readonly bundle: string;
  readonly failOn: HuntPart['failOn'];
}

/** @throws CommandError, FileFormatError */
export function mergeHuntParts(documents: readonly { file: string; document: unknown }[]): HuntWhole {
  const files = checkWhole(
    documents.map(({ file, document }) => ({ file, part: check(huntPartSchema, document, file) })),
  );
  checkAlike(files);
  const parts = files.map(({ part }) => part.hunted as unknown as Hunted);
  const { bundle, failOn } = files[0]!.part;
  return { hunted: mergeHunted(parts), bundle, failOn };
}

function checkAlike(files: readonly PartFile<HuntPart>[]): void {
  const [first, ...others] = files;
  const { hunted, bundle, runs, failOn } = first!.part;
  for (const { file, part } of others) {
    const differs = (what: string): never => {
      throw new CommandError(`${file} and ${first!.file} are parts of different hunts: ${what}`);
    };
    if (part.bundle !== bundle) differs('the lock was changed in between');
    if (part.runs !== runs) differs(`one of ${part.runs} runs, one of ${runs}`);
    if (canonicalJson(part.failOn) !== canonicalJson(failOn)) differs('they differ in --fail-on');
    const { reuse, ...spec } = part.hunted.spec;
    const { reuse: firstReuse, ...firstSpec } = hunted.spec;
    if (canonicalJson(spec) !== canonicalJson(firstSpec)) {
      const keys = Object.keys(spec).filter(
        (key) => canonicalJson(spec[key] ?? null) !== canonicalJson(firstSpec[key as 'lock'] ?? null),
      );
      differs(`they differ in ${keys.join(', ')}`);
    }
    if (reuse !== firstReuse)
      differs('one found that instances of the lock must not be kept; run the others with --no-reuse');
  }
}

function mergeHunted(parts: readonly Hunted[]): Hunted {
  const ranges = parts.flatMap(({ range }) => (range === null ? [] : [range]));
  const range = ranges.length === 0 ? null : ranges.reduce(mergeRanges);
  const spec: HuntSpec = parts[0]!.spec;
  const chosen = new Set((range?.findings ?? []).map(identity));
  const isChosen = (one: RawFinding): boolean => chosen.has(identity(one));
  const findings: Finding[] = parts.flatMap((part) => part.findings.filter(isChosen)).sort(bySize);
  const lostRuns: LostRuns[] = parts.flatMap((part) => part.lostRuns).sort((a, b) => a.from - b.from);
  return {
    spec,
    range,
    findings,
    gone: parts.flatMap((part) => part.gone.filter(isChosen)),
    lost: parts.flatMap((part) => part.lost.filter(({ raw: one }) => isChosen(one))),
    lostRuns,
    gaveUp: parts.some((part) => part.gaveUp),
    corpus: parts.flatMap(({ corpus }) => corpus),
    missing: range === null ? ['a run was made'] : missingGoals(spec, (range satisfies HuntRange).coverage),
    seconds: parts.reduce((sum, part) => sum + part.seconds, 0),
    interrupted: parts.some((part) => part.interrupted),
  };
}

/** A finding's key and run: which of several with the same key it is. */
function identity({ key, run }: RawFinding): string {
  return `${run} ${key}`;
}
