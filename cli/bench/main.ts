/** `npm run bench`: lockpick against what one would write instead (docs/decisions/0007-bench.md). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Command, CommanderError, Option } from 'commander';
import { describeFailure, EXIT } from '../exit.js';
import { apart } from './apart.js';
import { measureEngineCosts } from './engine-cost.js';
import { measureFloorMultiple } from './floor-multiple.js';
import { measureHunt } from './hunt.js';
import { measureJobs } from './jobs.js';
import { measureLibraries } from './libraries.js';
import { LOADS } from './loads.js';
import { lockpick, type LockpickContender } from './lockpick.js';
import { measureMemory } from './memory.js';
import { compare, runsPerSecond, type Effort } from './pairs.js';
import { parityOf } from './parity.js';
import { measurePitfalls } from './pitfalls.js';
import { renderReport, TARGETS, type BenchReport } from './report.js';
import { CONTESTS, type Contest } from './targets.js';
import { measureSpin, missingForSpin } from './spin.js';
import { measureWire } from './wire.js';

const PARTS = [
  ...CONTESTS,
  'floor',
  'memory',
  'engine',
  'libraries',
  'wire',
  'hunt',
  'jobs',
  'pitfalls',
  'spin',
] as const;
type Part = (typeof PARTS)[number];

interface BenchOptions {
  readonly json?: boolean;
  readonly quick?: boolean;
  readonly only?: readonly Part[];
}

const FULL: Effort = { pairs: 7, sideMs: 1000, warmUpMs: 4000 };
const QUICK: Effort = { pairs: 3, sideMs: 500, warmUpMs: 2000 };
const MEMORY_RUNS = 20_000;
const QUICK_MEMORY_RUNS = 4_000;
/** Rounds of a hundred locks on ioredis-mock; the native engine does twenty times as many. */
const ENGINE_ROUNDS = 40;
const QUICK_ENGINE_ROUNDS = 10;

/** Which load a contest plays, and with which of our locks. */
const CONTESTANTS = {
  '5x3': { load: LOADS['5x3'], lock: 'redlock' },
  '1x2': { load: LOADS['1x2'], lock: 'redlock' },
  redlock4: { load: LOADS['5x3'], lock: 'redlock@4.2.0' },
} as const;

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

async function playContest(contest: Contest, effort: Effort): Promise<Partial<BenchReport>> {
  const { load, lock } = CONTESTANTS[contest];
  const ours = apart('lockpick', load.name, lock);
  const ratios: Record<string, number> = {};
  const ratiosOfPairs: Record<string, readonly number[]> = {};
  const speeds: Record<string, number> = {};
  const parity: Record<string, ReturnType<typeof parityOf>> = {};
  for (const side of ['handBuilt', 'careful'] as const) {
    const theirs = apart(side, load.name, lock);
    const comparison = await compare(ours, theirs, effort);
    await theirs.finish();
    ratios[theirs.name] = comparison.ratio;
    ratiosOfPairs[theirs.name] = comparison.ratios;
    speeds[theirs.name] = runsPerSecond(comparison.theirs);
    speeds['lockpick'] = runsPerSecond(comparison.ours);
    parity[theirs.name] = parityOf(comparison);
    say(`${contest} against ${theirs.name}: ${comparison.ratio.toFixed(2)}`);
  }
  await ours.finish();
  return {
    ratios: { [contest]: ratios },
    ratiosOfPairs: { [contest]: ratiosOfPairs },
    runsPerSecond: { [contest]: speeds },
    parity: { [contest]: parity },
  } as Partial<BenchReport>;
}

async function measurePart(part: Part, effort: Effort, quick: boolean): Promise<Partial<BenchReport>> {
  switch (part) {
    case 'floor': {
      const contender: LockpickContender = await lockpick(LOADS['5x3'], 'redlock');
      const floor = await measureFloorMultiple('5x3', contender, effort);
      await contender.finish();
      say(`an event costs ${floor.multiple.toFixed(2)} floors`);
      return { floor, floorMultiple: floor.multiple };
    }
    case 'memory': {
      const { runs, rssMiB, keptBytesPerRun } = await measureMemory(quick ? QUICK_MEMORY_RUNS : MEMORY_RUNS);
      say(`resident size over ${runs} runs: ${rssMiB.start.toFixed(0)} to ${rssMiB.end.toFixed(0)} MiB`);
      return { memoryRuns: runs, rssMiB, keptBytesPerRun };
    }
    case 'engine': {
      const engine = await measureEngineCosts(quick ? QUICK_ENGINE_ROUNDS : ENGINE_ROUNDS);
      say(
        `a SET takes ${engine.native.setUs.toFixed(2)} µs, a release by script ${engine.native.scriptUs.toFixed(2)} µs`,
      );
      return { engine };
    }
    case 'libraries': {
      const libraries = await measureLibraries(QUICK);
      for (const { lock, times } of libraries)
        say(`${lock}: the reference Redlock is ${times.toFixed(2)} times as fast`);
      return { libraries };
    }
    case 'wire': {
      const wire = await measureWire(LOADS['5x3'], 'ioredis', effort);
      say(`${wire.runsPerSecond.toFixed(0)} runs a second with real ${wire.clientPackage}`);
      return { wire };
    }
    case 'hunt': {
      const hunt = [await measureHunt('single', effort.pairs), await measureHunt('redlock', effort.pairs)];
      for (const { lock, ratio } of hunt)
        say(`hunting ${lock}: ${ratio.toFixed(2)} of the bare runs a second`);
      return { hunt };
    }
    case 'jobs': {
      const jobs = await measureJobs('redlock', effort.pairs);
      say(`two jobs do ${jobs.ratio.toFixed(2)} times as much as one`);
      return { jobs };
    }
    case 'pitfalls':
      return { pitfalls: await measurePitfalls(say) };
    case 'spin': {
      const missing = missingForSpin();
      if (missing === null) return { spin: measureSpin(quick ? 3 : 7, say) };
      say(`spin: skipped, ${missing} is not installed`);
      return {};
    }
    default:
      return playContest(part, effort);
  }
}

/** One part in a process of its own: what V8 has learned of one contest slows the next one down. */
async function measureApart(part: Part, quick: boolean): Promise<Partial<BenchReport>> {
  const own = ['--json', '--only', part, ...(quick ? ['--quick'] : [])];
  const file = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [...process.execArgv, file, 'bench', ...own], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (text === '') throw new Error(`the process that measures ${part} ended with ${code}`);
  return JSON.parse(text) as BenchReport;
}

async function bench(options: BenchOptions): Promise<void> {
  const effort = options.quick ? QUICK : FULL;
  let report: BenchReport = {
    format: 'lockpick/bench@1',
    node: process.version,
    pairs: effort.pairs,
    ratios: {},
    ratiosOfPairs: {},
    runsPerSecond: {},
    parity: {},
    parityOk: true,
    targets: TARGETS,
  };
  const parts = options.only ?? PARTS;
  for (const part of parts) {
    const found =
      parts.length === 1
        ? await measurePart(part, effort, options.quick === true)
        : await measureApart(part, options.quick === true);
    report = {
      ...report,
      ...found,
      ratios: { ...report.ratios, ...found.ratios },
      ratiosOfPairs: { ...report.ratiosOfPairs, ...found.ratiosOfPairs },
      runsPerSecond: { ...report.runsPerSecond, ...found.runsPerSecond },
      parity: { ...report.parity, ...found.parity },
    };
  }
  const parityOk = Object.values(report.parity).every((contest) =>
    Object.values(contest).every((parity) => parity.ok),
  );
  report = { ...report, parityOk };
  process.stdout.write(options.json ? `${JSON.stringify(report, undefined, 2)}\n` : renderReport(report));
  if (!parityOk) {
    say('the two sides did not do the same work: the ratios above mean nothing');
    process.exitCode = EXIT.violation;
  }
}

const program = new Command('bench')
  .description('Measures runs per second against what one would write instead')
  .addOption(new Option('--json', 'one JSON document on stdout, all else on stderr'))
  .addOption(new Option('--quick', 'a small sample: three pairs instead of seven'))
  .addOption(new Option('--only <parts...>', 'measure these parts only').choices(PARTS))
  .allowExcessArguments(false)
  .exitOverride()
  .action(bench);

// In `lockpick bench ...` the verb comes first; run by itself, this file is the verb.
const args = process.argv.slice(process.argv[2] === 'bench' ? 3 : 2);
try {
  await program.parseAsync(args, { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.asExpected : EXIT.usage;
  } else {
    const { message, exitCode } = describeFailure(error);
    say(`lockpick: ${message}`);
    process.exitCode = exitCode;
  }
}
