/** Many generated sequences, family by family, until one finds a difference. */
import fc from 'fast-check';
import { firstDifference, printDifference } from './compare.js';
import { FAMILIES } from './families/all.js';
import { printStep, type Step } from './step.js';
import type { Subject } from './subject.js';

/** Sequences that share a seed, at most. */
const BATCH = 100;
/** Families whose sequences take longer: some wait for the real clock, some for the end of an endless loop. */
const SLOW: ReadonlySet<string> = new Set(['busy', 'pause']);
/** Of these there are so many times fewer. */
const SPARING = 10;

/** How many sequences of a family belong to so many of each. */
export function shareOf(family: string, runs: number): number {
  return Math.ceil(SLOW.has(family) ? runs / SPARING : runs);
}

export interface CampaignResult {
  /** Sequences that ran without a difference, by family. */
  readonly runs: ReadonlyMap<string, number>;
  /** What to read of the first difference: the shrunk sequence, both replies, how to see it again. */
  readonly failure: string | undefined;
}

export interface CampaignOptions {
  readonly real: Subject;
  readonly other: Subject;
  readonly runs: number;
  readonly seed: number;
  readonly families: readonly string[];
  /** Told after each batch how many sequences have run. */
  readonly progress?: (done: number) => void;
}

/** Batches take turns among the families; batch n has the seed `seed + n`. */
export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const { real, other, runs, seed, families, progress } = options;
  const done = new Map<string, number>(families.map((family) => [family, 0]));
  const batchSize = Math.min(BATCH, Math.ceil(runs / families.length));
  for (let batch = 0, total = 0; total < runs; batch++) {
    const family = families[batch % families.length]!;
    const size = Math.min(shareOf(family, batchSize), runs - total);
    const failure = await runBatch(real, other, family, seed + batch, size);
    if (failure !== undefined) return { runs: done, failure };
    total += size;
    done.set(family, done.get(family)! + size);
    progress?.(total);
  }
  return { runs: done, failure: undefined };
}

async function runBatch(
  real: Subject,
  other: Subject,
  family: string,
  seed: number,
  numRuns: number,
): Promise<string | undefined> {
  const agrees = fc.asyncProperty(
    FAMILIES[family]!,
    async (steps) => (await firstDifference(real, other, steps)) === undefined,
  );
  const details = await fc.check(agrees, { seed, numRuns });
  if (!details.failed) return undefined;
  if (details.counterexample === null)
    throw new Error(`no sequences of ${family}`, { cause: details.errorInstance });
  const [steps] = details.counterexample;
  return [
    await describeFailure(real, other, steps, details.errorInstance),
    `again: npm run conformance -- --family ${family} --seed ${seed} --runs ${numRuns}`,
  ].join('\n');
}

async function describeFailure(
  real: Subject,
  other: Subject,
  steps: readonly Step[],
  error: unknown,
): Promise<string> {
  const difference = await firstDifference(real, other, steps).catch((thrown: unknown) =>
    String((thrown as Error).stack),
  );
  if (typeof difference === 'string') return `${steps.map(printStep).join('\n')}\n${difference}`;
  if (difference !== undefined) return printDifference(steps, difference, real.name, other.name);
  return `not seen again:\n${steps.map(printStep).join('\n')}\n${String(error)}`;
}
