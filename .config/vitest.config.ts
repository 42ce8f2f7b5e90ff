import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Where the CI script wants the counts, as JSON. */
const results = process.env.LOCKPICK_TEST_RESULTS;

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['{src,sim,properties,reports,cli}/**/*.test.ts'],
    // Runs drain microtasks synchronously from a macrotask; forks leave each file an event loop of its own.
    pool: 'forks',
    // By default one core is left idle: half of them where there are two.
    maxWorkers: '100%',
    testTimeout: 120_000,
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
