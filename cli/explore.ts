import type { Command } from 'commander';
import { planAnomalies } from '../properties/search/explore/anomalies.js';
import { ANOMALY_KINDS, type ExploreSpec } from '../properties/search/explore/spec.js';
import { counted, exploreReport, type ExploreRow } from '../reports/terminal/explore.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import type { LoadedLock } from '../sim/load.js';
import { parseScenario } from '../sim/scenario/parse.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { showSetting } from '../sim/scenario/set-path.js';
import { VERSION } from '../sim/version.js';
import { explain } from './counterfactuals.js';
import { load, misfit, type Execution } from './execute.js';
import { CommandError, EXIT, type ExitCode } from './exit.js';
import { conduct, type Explored } from './explore/conduct.js';
import { keep } from './explore/keep.js';
import { addExploreOptions, specOf, type ExploreOptions } from './explore/options.js';
import { ExploreState } from './explore/state.js';
import { interruptible } from './interrupt.js';
import { note, painter, print, printJson, shellWord, terminalWidth, wantsColour } from './output.js';
import { Pool } from './pool/pool.js';
import { startProgress } from './progress.js';
import { changeScenario, checkLockName, isPath, resolveScenario } from './resolve.js';
import { present } from './run.js';

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

Exit codes: 0 nothing with a blame in --fail-on was violated, 1 something was, 2 bad usage or input, 3 not complete,
4 not deterministic, 130 interrupted: what was done is kept in the file of --resume.`,
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
      return conclude({ spec, lock, explored, options, interrupted: interrupted() });
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
  const progress = startProgress(0, { quiet: options.quiet === true });
  try {
    // Kept instances turned out to be no good: neither is what they did before.
    const anew = options.reuse && !spec.reuse;
    return await conduct(spec, pool, new ExploreState(spec, lock, options.resume, anew), {
      stop: () => interrupted() || performance.now() >= untilMs,
      first: options.first === true,
      heard: (done, of, { schedules, violating }) =>
        progress.at(done, `of ${of} parts · ${schedules} schedules · ${violating} violate`),
    });
  } catch (error) {
    if ((error as Error).name !== 'ReuseMismatch' || !spec.reuse) throw error;
    note(`${spec.lock}: ${(error as Error).message}: starting over with fresh instances for every run`);
    return await search({ ...spec, reuse: false }, means);
  } finally {
    progress.done();
  }
}

interface Found {
  readonly spec: ExploreSpec;
  readonly lock: LoadedLock;
  readonly explored: Explored;
  readonly options: ExploreOptions;
  readonly interrupted: boolean;
}

/** Keeps the smallest, prints, and says how the command ends. */
async function conclude(found: Found): Promise<ExitCode> {
  const { spec, lock, explored, options } = found;
  const { smallest } = explored.tally;
  const { out, failOn } = options;
  const kept = smallest === null ? null : await keep(smallest, { spec, lock, out, failOn });
  const exitCode = exitOf(found);
  if (options.json === true) printJson(documentOf(found, kept));
  else if (kept !== null && options.quiet !== true) {
    const why = await explain(kept.history, lock, kept.verdicts);
    present(kept, options, replayOf(kept), { why });
    print('');
  }
  if (options.json === true && options.quiet === true) return exitCode;
  const text = report(found, kept);
  if (options.json === true) note(text);
  else print(text);
  return exitCode;
}

function exitOf({ explored: { tally, complete }, options, interrupted }: Found): ExitCode {
  if (interrupted) return EXIT.interrupted;
  const counts = Object.values(tally.sorts).some(({ blame }) => options.failOn.includes(blame));
  if (counts) return EXIT.violation;
  return complete || (options.first === true && tally.violating > 0) ? EXIT.asExpected : EXIT.unknown;
}

function replayOf({ files }: Execution): string {
  return ['npx', 'lockpick', 'replay', files.counterexample!].map(shellWord).join(' ');
}

function documentOf({ spec, explored, options, interrupted }: Found, kept: Execution | null): object {
  const { plan, tally, seconds, complete } = explored;
  const scenario = parseScenario(spec.scenario);
  return {
    format: 'lockpick/explore@1',
    scenario: scenario.id,
    lock: spec.lock,
    seed: scenario.seed,
    settings: options.set.map(showSetting),
    keptFaults: scenario.faults.length,
    property: spec.property,
    kinds: spec.kinds ?? ANOMALY_KINDS,
    decisionPoints: plan.decisionPoints,
    classes: plan.classes,
    anomalies: spec.anomalies,
    schedules: tally.schedules,
    violating: tally.violating,
    smallest: tally.smallest === null ? null : tally.smallest.faults.length,
    complete,
    interrupted,
    found: rowsOf(tally.sorts).map(({ property, blame, schedules, faults }) => ({
      property,
      blame,
      schedules,
      smallest: faults.length,
      faults,
    })),
    counterexample: kept?.files.counterexample ?? null,
    digest: kept?.digest ?? null,
    seconds,
    schedulesPerSecond: seconds > 0 ? tally.schedules / seconds : 0,
    reuse: spec.reuse,
    lockpick: VERSION,
  };
}

type Sorts = Explored['tally']['sorts'];

/** The smallest first; among equals in the order of their names. */
function rowsOf(sorts: Sorts): readonly ExploreRow[] {
  return Object.values(sorts)
    .map(({ property, blame, count, first }) => ({ property, blame, schedules: count, faults: first.faults }))
    .sort((a, b) => a.faults.length - b.faults.length);
}

function report({ spec, explored, options, interrupted }: Found, kept: Execution | null): string {
  const { plan, tally, seconds, complete } = explored;
  const scenario = parseScenario(spec.scenario);
  const stream = options.json === true ? process.stderr : process.stdout;
  const title = CATALOGUE.find((entry) => entry.scenario.id === scenario.id)?.title;
  const unfinished = interrupted
    ? 'interrupted'
    : options.first === true
      ? 'at the first violation'
      : 'time is up';
  const commands: [string, string][] = [];
  if (kept !== null) commands.push(['Replay', replayOf(kept)]);
  if (!complete && options.resume !== undefined) commands.push(['Kept in', options.resume]);
  return exploreReport(
    {
      scenario,
      ...(title === undefined ? {} : { title }),
      anomalies: spec.anomalies,
      placed: placedIn(scenario, spec),
      ...plan,
      ...tally,
      smallest: tally.smallest === null ? null : tally.smallest.faults.length,
      rows: rowsOf(tally.sorts),
      complete,
      unfinished,
      seconds,
      commands,
      outcome: outcomeOf(explored, options),
    },
    {
      paint: painter(wantsColour(stream)),
      width: terminalWidth(stream),
      brief: options.quiet === true || options.json === true,
    },
  );
}

function placedIn(scenario: Scenario, { kinds, property }: ExploreSpec): string {
  const { spansMs } = planAnomalies(scenario, kinds);
  const asked = property === null ? '' : `; only ${property}`;
  return `${(kinds ?? ANOMALY_KINDS).join(', ')}, of ${spansMs.join(', ')} ms${asked}`;
}

function outcomeOf({ tally, complete }: Explored, { failOn }: ExploreOptions): string {
  const words = Object.entries(tally.sorts).filter(([, { blame }]) => failOn.includes(blame));
  const rest = Object.keys(tally.sorts).length - words.length;
  const part = complete ? '' : ', as far as was looked';
  if (words.length > 0) return `violated${part}: ${words.map(([word]) => word).join(', ')}`;
  if (tally.violating === 0)
    return complete ? 'no schedule violates anything' : 'no violation so far: not complete';
  return `no violation with a blame in --fail-on${part}; ${counted(rest, 'other', 'others')}, ${tally.violating} schedules`;
}
