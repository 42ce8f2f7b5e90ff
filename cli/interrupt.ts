/** Ctrl-C during long work: the first asks it to end with what it has, the second ends the command. */
import { EXIT } from './exit.js';

export interface Interrupts {
  /** Whether one was heard. */
  readonly heard: () => boolean;
  /** Back to what Ctrl-C does otherwise. */
  stop(): void;
}

export function listenForInterrupts(): Interrupts {
  let heard = false;
  const listener = (): void => {
    // The second time nobody wants to wait for the run under way.
    if (heard) process.exit(EXIT.interrupted);
    heard = true;
  };
  process.on('SIGINT', listener);
  return { heard: () => heard, stop: () => void process.off('SIGINT', listener) };
}
