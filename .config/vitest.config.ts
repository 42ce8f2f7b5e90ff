import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['{src,sim,properties,reports,cli}/**/*.test.ts'],
    // Runs drain microtasks synchronously from a macrotask; forks leave each file an event loop of its own.
    pool: 'forks',
    testTimeout: 120_000,
  },
});
