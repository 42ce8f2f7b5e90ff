import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Where the CI script wants the counts, as JSON. */
const results = process.env.LOCKPICK_TEST_RESULTS;

const TESTS = '{src,sim,properties,reports,cli}/**/*.test.ts';

/** Need a process in which nothing else has run: what loads, and when, is what they are about. */
const APART = [
  'sim/redis/mock/load.test.ts',
  'sim/redis/native/keyspace.test.ts',
  'sim/sealed/page-builtins.test.ts',
];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    // Loading the sources anew for every file would be a third of the work; and a run must not depend on what ran before it.
    projects: [
      { extends: true, test: { name: 'together', include: [TESTS], exclude: APART, isolate: false } },
      { extends: true, test: { name: 'apart', include: APART } },
    ],
    // Runs drain microtasks synchronously from a macrotask; forks leave each file an event loop of its own.
    pool: 'forks',
    // By default one core is left idle: half of them where there are two.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: results ? ['default', ['json', { outputFile: results }]] : ['default'],
  },
});
