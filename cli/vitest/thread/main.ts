/** The thread behind {@link SimulationThread}: an entry point of its own in the build. One order after the other. */
import { parentPort } from 'node:worker_threads';
import { runOrder } from './orders.js';
import type { ErrorData, Report, Request } from './messages.js';

const port = parentPort!;

function report(message: Report): void {
  port.postMessage(message);
}

function errorData(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return { name, message, stack };
}

let last: Promise<void> = Promise.resolve();

async function answer({ id, order }: Request): Promise<void> {
  try {
    report({ id, answer: await runOrder(order) });
  } catch (error) {
    report({ id, error: errorData(error) });
  }
}

port.on('message', (request: Request) => {
  last = last.then(() => answer(request));
});

/** Well below the silence that the other side bears. */
const SIGN_OF_LIFE_MS = 500;
setInterval(() => report({ alive: true }), SIGN_OF_LIFE_MS);
