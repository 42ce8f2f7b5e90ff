import type { Command } from 'commander';
import type { ExploreSpec } from '../properties/search/explore/spec.js';
import type { LoadedLock } from '../sim/load.js';
import { load, misfit } from './execute.js';
import { CommandError, type ExitCode } from './exit.js';
import { conduct, type Explored } from './explore/conduct.js';
import { addExploreOptions, specOf, type ExploreOptions } from './explore/options.js';
import { presentExploration } from './explore/present.js';
import { ExploreState } from './explore/state.js';
import { interruptible } from './interrupt.js';
import { note } from './output.js';
import { Pool } from './pool/pool.js';
import { startProgress, type Progress } from './progress.js';
import { changeScenario, checkLockName, isPath, resolveScenario } from './resolve.js';

export function addExploreVerb(program: Command, exit: (code: number) => void): void {
  const command = program
    .command('explore')
    .description('place anomalies at every moment of a run, one and several, and see which of them break it')
    .argument('<scenario>', 'an id of the catalogue, or a JSON file');
  addExploreOptions(command)
    .addHelpText(
      'after',
      `
Every message sent and delivered, timer fired, clock read and command executed is a moment at which something may go
wrong: a process or a server pauses, crashes and comes back, a message is slow, a link is held, a clock steps, a
replica takes over. Within that bound nothing is left to luck: complete and without a violation means that there is none.

Examples:
  lockpick explore S1 --anomalies 1
  lockpick explore S1 --lock single --anomalies 2 --property mutual-exclusion
  lockpick explore R1 --lock ./src/my-lock.ts --faults pause,delay --time-limit 60s --resume explored.json

Exit codes: 0 nothing with a blame in --fail-on was violated, 1 something was, 2 bad usage or input, 3 unknown (not
complete, or nobody ever got the lock), 4 not deterministic, 130 interrupted: what was done is kept in the file of
--resume.`,
    )
    .action(async (word: string, options: ExploreOptions) => {
      exit(await explore(word, options));
    });
}

async function explore(word: string, options: ExploreOptions): Promise<ExitCode> {
  const scenario = changeScenario(resolveScenario(word), options);
  const { name } = scenario.lock;
  checkLockName(name);
  const spec = specOf(scenario, options);
  const lock = await load(name);
  const problem = misfit(lock, scenario);
  if (problem !== null) throw new CommandError(`${name} ${problem}`);
  const pool = new Pool({ jobs: options.jobs, locks: [lock], apart: isPath(name) });
  try {
    return await interruptible(async (interrupted) => {
      const explored = await search(spec, { lock, pool, options, interrupted });
      return presentExploration({ spec, lock, explored, options, interrupted: interrupted() });
    });
  } finally {
    await pool.close();
  }
}

interface Means {
  readonly lock: LoadedLock;
  readonly pool: Pool;
  readonly options: ExploreOptions;
  readonly interrupted: () => boolean;
}

async function search(spec: ExploreSpec, means: Means): Promise<Explored> {
  const { lock, pool, options, interrupted } = means;
  const untilMs = performance.now() + (options.timeLimit ?? Infinity);
  let progress: Progress | undefined;
  try {
    // Kept instances turned out to be no good: neither is what they did before.
    const anew = options.reuse && !spec.reuse;
    return await conduct(spec, pool, new ExploreState(spec, lock, options.resume, anew), {
      stop: () => interrupted() || performance.now() >= untilMs,
      hasty: options.first === true,
      enough: ({ sorts }) =>
        options.first === true && Object.values(sorts).some(({ blame }) => options.failOn.includes(blame)),
      heard: (done, of, { schedules, violating }) => {
        progress ??= startProgress(of, { quiet: options.quiet === true });
        progress.at(done, `parts · ${schedules} schedules · ${violating} violate`);
      },
    });
  } catch (error) {
    if ((error as Error).name !== 'ReuseMismatch' || !spec.reuse) throw error;
    note(`${spec.lock}: ${(error as Error).message}: starting over with fresh instances for every run`);
    return await search({ ...spec, reuse: false }, means);
  } finally {
    progress?.done();
  }
}
