/** The thread behind a {@link WorkerVerifier}: an entry point of its own in the build. */
import { parentPort, workerData } from 'node:worker_threads';
import { inMacrotask } from '../kernel/macrotask.js';
import { compile } from '../plan.js';
import '../sealed/node-builtins.js';
import { comesOutTheSame } from './verifier.js';
import type { VerifierAnswer, VerifierSetup, VerifierTask } from './worker-verifier.js';

const { scenario, lock } = workerData as VerifierSetup;
const plan = compile(scenario);
const port = parentPort!;

port.on('message', ({ seed, events }: VerifierTask) => {
  void inMacrotask(() => comesOutTheSame(plan, lock, seed, events)).then((same) => {
    const answer: VerifierAnswer = { seed, same };
    port.postMessage(answer);
  });
});
