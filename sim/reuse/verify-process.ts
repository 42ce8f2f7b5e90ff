/** The process behind a {@link ProcessVerifier}: an entry point of its own in the build. Ends when it is disconnected. */
import { inMacrotask } from '../kernel/macrotask.js';
import { compile, type Plan } from '../plan.js';
import { provideMock } from '../redis/engines.js';
import '../sealed/node-builtins.js';
import type { VerifierAnswer, VerifierSetup, VerifierTask } from './process-verifier.js';
import { comesOutTheSame } from './verifier.js';

let plan: Plan;
let lock: VerifierSetup['lock'];

process.once('message', (setup: VerifierSetup) => {
  plan = compile(setup.scenario);
  lock = setup.lock;
  if (setup.engine !== null) provideMock(setup.engine);
  process.on('message', ({ seed, events }: VerifierTask) => {
    void inMacrotask(() => comesOutTheSame(plan, lock, seed, events)).then((same) => {
      const answer: VerifierAnswer = { seed, same };
      process.send!(answer);
    });
  });
});
