/** The entry of the command: `runCommand` with the arguments of the process. */
import { describeFailure, EXIT } from './exit.js';
import { runCommand } from './program.js';

// A reader that goes away (`lockpick list | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

// What escapes every promise is ours: with Node's own exit code it would read as a violation.
process.on('uncaughtException', (error) => {
  process.stderr.write(`lockpick: ${describeFailure(error).message}\n`);
  process.exit(EXIT.bug);
});

process.exitCode = await runCommand(process.argv.slice(2));
