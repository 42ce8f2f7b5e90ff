/** One question from a cold start: node, the lock bundled, the search, the first violation. Prints it as JSON. */
import path from 'node:path';
import { transform } from 'esbuild';
import { SPIN_QUESTIONS } from './spin-questions.js';

// The bundler works in a process of its own: it starts while the rest is loaded.
const started = transform('');

const question = SPIN_QUESTIONS[Number(process.argv[2])]!;
const { packageRoot, resolveLock } = await import('../../src/resolve.js');
const source = resolveLock(question.lock, path.join(packageRoot(), 'cli', 'bench'));
const { loadLock } = await import('../../sim/load.js');
// And it bundles while what the search needs is loaded.
const loading = loadLock(source, { compiles: true });
const { ask } = await import('./spin-ask.js');
process.stdout.write(JSON.stringify(await ask(question, await loading)));
await started;
