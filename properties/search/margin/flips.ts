/** Where a verdict flips along a line of values: looked for on a coarse grid, then bisected to the last decimal. */
import type { Blame, Verdict } from '../../verdict.js';
import { fromGrain, toGrain, type Parameter, type Range } from './parameter.js';

/** What came of one value. */
export interface Sample {
  readonly value: number;
  readonly verdict: Verdict['verdict'];
  readonly blame: Blame | null;
  /** Why it is violated or unknown; null where it holds. */
  readonly reason: string | null;
}

/** Two neighbouring values with different verdicts. */
export interface Flip {
  readonly below: Sample;
  readonly above: Sample;
}

export interface Flips {
  readonly flips: readonly Flip[];
  /** What was run before bisecting, ascending: the coarse grid and the landmarks. */
  readonly scan: readonly Sample[];
  /** How many values were run altogether. */
  readonly runs: number;
  /** False where the search was stopped: flips may be missing. */
  readonly complete: boolean;
}

export interface FlipSearch {
  readonly parameter: Parameter;
  readonly range: Range;
  /** Intervals of the coarse grid. Two flips inside one of them go unseen. */
  readonly intervals: number;
  /** Values that are looked at in any case, where they are in the range. */
  readonly landmarks: readonly number[];
  readonly sampleAt: (value: number) => Promise<Sample>;
  /** Asked before each run: true ends the search with what it has. */
  readonly stopped?: () => boolean;
}

/** Verdict and blame are the same: nothing flips between the two, as far as one can see. */
export function alike(a: Sample, b: Sample): boolean {
  return a.verdict === b.verdict && a.blame === b.blame;
}

class Stopped extends Error {}

export async function findFlips(search: FlipSearch): Promise<Flips> {
  const { parameter } = search;
  const samples = new Map<number, Sample>();
  const at = async (grain: number): Promise<Sample> => {
    const known = samples.get(grain);
    if (known !== undefined) return known;
    if (search.stopped?.() === true) throw new Stopped();
    const sample = await search.sampleAt(fromGrain(parameter, grain));
    samples.set(grain, sample);
    return sample;
  };
  const grid = gridOf(search);
  const scan: Sample[] = [];
  const flips: Flip[] = [];
  const bisect = async (low: number, high: number): Promise<void> => {
    const below = await at(low);
    const above = await at(high);
    if (alike(below, above)) return;
    if (high - low === 1) {
      flips.push({ below, above });
      return;
    }
    const middle = Math.floor((low + high) / 2);
    await bisect(low, middle);
    await bisect(middle, high);
  };
  let complete = true;
  try {
    for (const grain of grid) scan.push(await at(grain));
    for (let index = 1; index < grid.length; index++) await bisect(grid[index - 1]!, grid[index]!);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    complete = false;
  }
  return { flips, scan, runs: samples.size, complete };
}

/** Both ends, the landmarks, and as many values between as there are intervals, or all of them where they are fewer. */
function gridOf({ parameter, range, intervals, landmarks }: FlipSearch): number[] {
  const from = toGrain(parameter, range.from);
  const to = toGrain(parameter, range.to);
  const grains = new Set([from, to]);
  const parts = Math.min(intervals, to - from);
  for (let part = 1; part < parts; part++) grains.add(Math.round(from + ((to - from) * part) / parts));
  for (const value of landmarks) {
    const grain = toGrain(parameter, value);
    if (grain >= from && grain <= to) grains.add(grain);
  }
  return [...grains].sort((a, b) => a - b);
}
