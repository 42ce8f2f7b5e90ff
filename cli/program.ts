/** The command line: one file a verb, exit codes in exit.ts. */
import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { describeFailure, EXIT } from './exit.js';
import { addExploreVerb } from './explore.js';
import { addHuntVerb } from './hunt.js';
import { addInitVerb } from './init.js';
import { addListVerb } from './list.js';
import { addMarginVerb } from './margin.js';
import { addMatrixVerb } from './matrix.js';
import { addMergeVerb } from './merge.js';
import { addReplayVerb } from './replay.js';
import { addRunVerb } from './run.js';
import { addTrialVerb } from './trial.js';
import { addWorkVerb } from './work.js';

function buildProgram(exit: (code: number) => void): Command {
  const program = new Command('lockpick')
    .description(
      'Runs real lock code in a simulated cluster, and says what breaks it and whose fault that is.',
    )
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError('Try --help.')
    .addHelpText(
      'after',
      `
Examples:
  lockpick matrix                             every scenario, every lock
  lockpick run S1 --lock single               one run, full report
  lockpick run R1 --lock ./src/my-lock.ts     your own lock
  lockpick trial redlock@4.2.0                what goes wrong with a library, and whose fault it is
  lockpick hunt --lock ./src/my-lock.ts       search for what breaks it
  lockpick explore S1 --anomalies 2           every anomaly at every moment of a run
  lockpick margin S1                          how far from the edge: a number varied until the verdict flips
  lockpick init                               a starter lock of your own, and its test
  lockpick list locks

Exit codes: 0 as expected, 1 a violation, 2 bad usage or input, 3 unknown, 4 not deterministic,
70 a bug in lockpick, 130 interrupted.`,
    );
  addMatrixVerb(program, exit);
  addRunVerb(program, exit);
  addHuntVerb(program, exit);
  addExploreVerb(program, exit);
  addMarginVerb(program, exit);
  addReplayVerb(program, exit);
  addTrialVerb(program, exit);
  addWorkVerb(program, exit);
  addMergeVerb(program, exit);
  addListVerb(program);
  addInitVerb(program);
  program
    .command('bench')
    .description('measure against what one would write by hand')
    .helpOption(false)
    .allowUnknownOption()
    .action(() => {
      program.error('error: bench runs as `lockpick bench` only, with nothing before it');
    });
  return program;
}

/** Runs the command line and returns its exit code; never throws. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  let exitCode: number = EXIT.asExpected;
  const program = buildProgram((code) => {
    exitCode = code;
  });
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return EXIT.usage;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message; help and version are no failures.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.asExpected : EXIT.usage;
    const { message, exitCode: code } = describeFailure(error);
    process.stderr.write(`${message.replace(/^/gm, 'lockpick: ')}\n`);
    return code;
  }
}
