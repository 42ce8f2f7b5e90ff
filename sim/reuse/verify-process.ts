/** The process behind a {@link ProcessVerifier}: an entry point of its own in the build. Ends when it is disconnected. */
import { inMacrotask } from '../kernel/macrotask.js';
import { compile, type Plan } from '../plan.js';
import { provideMock } from '../redis/engines.js';
import '../sealed/node-builtins.js';
import type { VerifierAnswer, VerifierSetup, VerifierTasks } from './process-verifier.js';
import { comesOutTheSame } from './verifier.js';

let plan: Plan;
let lock: VerifierSetup['lock'];

process.once('message', (setup: VerifierSetup) => {
  plan = compile(setup.scenario);
  lock = setup.lock;
  if (setup.engine !== null) provideMock(setup.engine);
  process.on('message', (tasks: VerifierTasks) => {
    void repeat(tasks).then((answer) => process.send!(answer));
  });
});

async function repeat(tasks: VerifierTasks): Promise<VerifierAnswer> {
  let differs: number | null = null;
  for (const { seed, events } of tasks) {
    const same = await inMacrotask(() => comesOutTheSame(plan, lock, seed, events));
    if (!same) differs ??= seed;
  }
  return { done: tasks.length, differs };
}
