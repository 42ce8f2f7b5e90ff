/**
 * What hunting costs: runs a second of a hunt, in one thread, against those of the bare runs: the same scenarios, drawn and compiled
 * already, simulated and judged.
 */
import { Hunt } from '../../properties/search/hunt/hunt.js';
import { Runner } from '../../properties/search/hunt/runner.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { loadLock } from '../../sim/load.js';
import { compile, type Plan } from '../../sim/plan.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { resolveLock } from '../../src/resolve.js';
import { median } from './statistics.js';

export interface HuntFigures {
  readonly lock: string;
  readonly runsPerSecond: number;
  readonly bareRunsPerSecond: number;
  /** Of the hunt to the bare runs: the median of the pairs. */
  readonly ratio: number;
}

/** Runs of one side of a pair. */
const RUNS = 500;

export async function measureHunt(lockName: string, pairs: number): Promise<HuntFigures> {
  const lock = await loadLock(resolveLock(lockName));
  const spec: HuntSpec = {
    lock: lockName,
    seed: 1,
    assume: 'everything',
    kinds: null,
    properties: null,
    sets: [],
    reuse: true,
  };
  const hunt = new Hunt(spec, lock);
  const runner = await Runner.open(lock, 'native', true);
  const speeds: number[] = [];
  const bareSpeeds: number[] = [];
  // The first pair only warms up.
  for (let pair = 0; pair <= pairs; pair++) {
    const from = pair * RUNS;
    const plans: Plan[] = [];
    for (let run = from; run < from + RUNS; run++)
      plans.push(compile(parseScenario(await hunt.scenarioOf(run))));
    const hunting = (): Promise<unknown> => hunt.range(from, from + RUNS);
    const baring = (): Promise<unknown> => runner.drive(bareRuns(runner, plans));
    // Whichever comes second finds warmer caches: they take turns.
    const hunted = pair % 2 === 0 ? await speedOf(hunting) : 0;
    const bare = await speedOf(baring);
    speeds.push(pair % 2 === 0 ? hunted : await speedOf(hunting));
    bareSpeeds.push(bare);
  }
  const ratios = speeds.slice(1).map((speed, pair) => speed / bareSpeeds[pair + 1]!);
  return {
    lock: lockName,
    runsPerSecond: median(speeds.slice(1)),
    bareRunsPerSecond: median(bareSpeeds.slice(1)),
    ratio: median(ratios),
  };
}

async function speedOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (RUNS * 1000) / (performance.now() - startMs);
}

function* bareRuns(runner: Runner, plans: readonly Plan[]): Generator<void, void> {
  for (const plan of plans) {
    runner.run(plan);
    yield;
  }
}
