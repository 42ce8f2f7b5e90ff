import type { Command } from 'commander';
import type { HuntRange } from '../properties/search/hunt/range.js';
import { conduct, openPool, type Hunted } from './hunt/conduct.js';
import { addHuntOptions, DEFAULT_RUNS, type HuntOptions } from './hunt/options.js';
import { planHunt, type HuntPlan } from './hunt/plan.js';
import { presentHunt } from './hunt/present.js';
import { interruptible } from './interrupt.js';
import type { Pool } from './pool/pool.js';
import { startProgress } from './progress.js';
import { openWay } from './queue/connect.js';
import { coordinate } from './queue/coordinator.js';
import { huntPart, huntPartFile } from './shards/hunt-part.js';
import { writePart } from './shards/parts.js';

export function addHuntVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('hunt')
    .description('search for violations in scenarios that nobody wrote, and make what is found small');
  addHuntOptions(command)
    .addHelpText(
      'after',
      `
Presets of --assume: calm (no faults), bounded (what a lease lock itself assumes: clean there means no violation of
any blame), pauses, clocks, crashes, partitions, failover, everything.

Examples:
  lockpick hunt --lock redlock --assume bounded --runs 20000
  lockpick hunt --lock ./src/my-lock.ts --time-limit 60s
  lockpick hunt --lock redlock@4.2.0 --faults pause,clock --property mutual-exclusion
  lockpick hunt --lock single --runs 100000 --shard 2/5 && lockpick merge lockpick-out/hunt-single-shard*.json

Run i is decided by --seed and i alone. Each finding is made small, run again from a fresh start, and kept as a
counterexample in the corpus, which the next hunt tries first.

Exit codes: 0 nothing that counts was violated, 1 something was, 2 bad usage or input, 3 unknown (what must
have happened never did, or runs were lost), 4 not deterministic, 130 interrupted: what was found is kept.`,
    )
    .action(async (options: HuntOptions, self: Command) => {
      const plan = await planHunt(options, self.getOptionValueSource('failOn') === 'cli');
      const pool = openPool(plan);
      try {
        const hunted = await interruptible((interrupted) => hunt(plan, pool, options, interrupted));
        exit(await conclude(hunted, plan, options));
      } finally {
        await pool.close();
      }
    });
}

async function hunt(
  plan: HuntPlan,
  pool: Pool,
  options: HuntOptions,
  interrupted: () => boolean,
): Promise<Hunted> {
  const { from, to, timeLimitMs, lock } = plan;
  const way = options.queue === undefined ? null : await openWay(options.queue);
  const byTime = to === Infinity;
  const total = byTime ? Math.round(timeLimitMs! / 1000) : to - from;
  const progress = startProgress(total, { quiet: options.quiet === true });
  const heard = (range: HuntRange, seconds: number): void => {
    const what = progressText(range, seconds);
    if (byTime) progress.at(Math.round(seconds), `s · ${range.runs} runs · ${what}`);
    else progress.at(range.runs, `runs · ${what}`);
  };
  try {
    return await conduct(plan, pool, {
      interrupted,
      heard,
      ...(way === null
        ? {}
        : {
            searching: (spec, bounds) => coordinate(way, { spec, lock, runs: to - from }, bounds),
          }),
      minimising: (done, of) => progress.at(total, `making findings small, ${done} of ${of}`),
    });
  } finally {
    progress.done();
  }
}

function progressText({ runs, findings }: HuntRange, seconds: number): string {
  const rate = `${Math.round(runs / Math.max(seconds, 0.001))} runs/s`;
  if (findings.length === 0) return `${rate} · nothing found`;
  const words = new Set(findings.map(({ property, blame }) => `${property}/${blame}`));
  return `${rate} · found ${[...words].join(', ')}`;
}

/** Writes the part, if it is one, and prints. */
async function conclude(hunted: Hunted, plan: HuntPlan, options: HuntOptions): Promise<number> {
  const { shard } = options;
  const file = shard === undefined ? null : huntPartFile(plan.out, plan.spec.lock, shard);
  if (shard !== undefined && file !== null)
    writePart(file, huntPart(hunted, plan, { shard, runs: options.runs ?? DEFAULT_RUNS }));
  return presentHunt({
    hunted,
    keeping: { ...plan, spec: hunted.spec },
    jobs: plan.jobs,
    options,
    shard: shard === undefined || file === null ? null : { shard, file },
  });
}
