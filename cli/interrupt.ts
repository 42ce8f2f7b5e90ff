/** Ctrl-C during long work: the first asks it to end with what it has, the second ends the command. */
import { EXIT } from './exit.js';

/**
 * Calls `work` with a function that says whether Ctrl-C came.
 * @param heard called at the first Ctrl-C
 */
export async function interruptible<T>(
  work: (interrupted: () => boolean) => Promise<T>,
  heard: () => void = () => undefined,
): Promise<T> {
  let interrupted = false;
  const interrupt = (): void => {
    // The second time nobody wants to wait for the run under way.
    if (interrupted) process.exit(EXIT.interrupted);
    interrupted = true;
    heard();
  };
  process.on('SIGINT', interrupt);
  try {
    return await work(() => interrupted);
  } finally {
    process.off('SIGINT', interrupt);
  }
}
