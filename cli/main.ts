/** The entry of the command: `runCommand` with the arguments of the process. */
import { runCommand } from './program.js';

// A reader that goes away (`lockpick list | head`) is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

process.exitCode = await runCommand(process.argv.slice(2));
