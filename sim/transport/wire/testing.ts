/** For tests: a sealed program that talks to simulated servers through a real package, or through sockets of its own. */
import type { History } from '../../history/events.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { lockModule, printed, simulated } from '../../testing/simulated.js';

/** The client packages, in each version that is installed here. */
export const PACKAGES = ['ioredis', 'ioredis@6', 'redis@4', 'redis', 'redis@6'] as const;

export interface ProgramOptions extends Partial<ScenarioInput> {
  readonly clientPackage?: string;
}

/**
 * Runs a program once: the body of an async function that sees `env` and `say(...)`, which prints; what it throws is printed,
 * too. Then the lock counts as taken.
 */
export function program(
  body: string,
  { clientPackage = 'ioredis', processes, ...scenario }: ProgramOptions = {},
): Promise<History> {
  const lock = lockModule(`
    const say = (...words) => console.log(...words.map((word) => typeof word === 'string' ? word : JSON.stringify(word)));
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const [redis] = env.clients;
    await (async () => { ${body} })().catch((error) => say('thrown:', error.name, error.code ?? '', error.message));
    return { release: async () => {} };`);
  return simulated(
    {
      workload: { steps: 0, workMs: 0 },
      ...scenario,
      processes: { count: 1, ...processes, transport: 'wire', clientPackage },
    },
    lock,
  );
}

/** What {@link program} printed. */
export async function output(body: string, options?: ProgramOptions): Promise<string[]> {
  return printed(await program(body, options));
}
