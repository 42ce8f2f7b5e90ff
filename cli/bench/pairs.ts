/** Two contenders measured in turn, so that what the machine does in between touches both. */
import type { Contender, Tally } from './loads.js';
import { median } from './statistics.js';

export interface Comparison {
  /** Median of the pairs' ratios of runs per second, ours to theirs. */
  readonly ratio: number;
  /** All pairs' ratios, in the order measured. */
  readonly ratios: readonly number[];
  readonly ours: Tally;
  readonly theirs: Tally;
}

export interface Effort {
  readonly pairs: number;
  /** How long one side of a pair is measured. */
  readonly sideMs: number;
  /** How long a contender runs before it is measured: V8 takes seconds to settle. */
  readonly warmUpMs: number;
}

/** Warms a contender up and finds how many of its runs fill `sideMs`. */
export async function calibrate(contender: Contender, { sideMs, warmUpMs }: Effort): Promise<number> {
  let runs = 4;
  let warmMs = 0;
  for (;;) {
    const { seconds } = await contender.measure(runs, 1_000_000 + runs);
    warmMs += seconds * 1000;
    if (warmMs >= warmUpMs) return Math.max(1, Math.round((runs * sideMs) / (seconds * 1000)));
    if (seconds * 1000 < sideMs) runs *= 2;
  }
}

export function runsPerSecond(tally: Tally): number {
  return tally.runs / tally.seconds;
}

function add(x: Tally, y: Tally): Tally {
  return {
    runs: x.runs + y.runs,
    seconds: x.seconds + y.seconds,
    commands: x.commands + y.commands,
    commandsSquared: x.commandsSquared + y.commandsSquared,
    violating: x.violating + y.violating,
  };
}

const NOTHING: Tally = { runs: 0, seconds: 0, commands: 0, commandsSquared: 0, violating: 0 };

/** Measures at least `effort.pairs` pairs; who goes first alternates. */
export async function compare(ours: Contender, theirs: Contender, effort: Effort): Promise<Comparison> {
  const ourRuns = await calibrate(ours, effort);
  const theirRuns = await calibrate(theirs, effort);
  const ratios: number[] = [];
  let ourTotal = NOTHING;
  let theirTotal = NOTHING;
  for (let pair = 0; pair < effort.pairs; pair++) {
    let ourTally: Tally;
    let theirTally: Tally;
    if (pair % 2 === 0) {
      ourTally = await ours.measure(ourRuns, 1 + pair * ourRuns);
      theirTally = await theirs.measure(theirRuns, pair);
    } else {
      theirTally = await theirs.measure(theirRuns, pair);
      ourTally = await ours.measure(ourRuns, 1 + pair * ourRuns);
    }
    ratios.push(runsPerSecond(ourTally) / runsPerSecond(theirTally));
    ourTotal = add(ourTotal, ourTally);
    theirTotal = add(theirTotal, theirTally);
  }
  return { ratio: median(ratios), ratios, ours: ourTotal, theirs: theirTotal };
}
