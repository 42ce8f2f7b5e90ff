// Bundles the command line and the library into dist/. Lock modules in src/ are bundled at run time by the sealed
// loader. Arguments: `types` adds the library's declarations, `bench` the bench (both need development dependencies).
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = [
  'cli/main.ts',
  'cli/pool/thread.ts',
  'cli/vitest/index.ts',
  'cli/vitest/thread/main.ts',
  'src/index.ts',
  'sim/reuse/verify-process.ts',
];
if (process.argv.includes('bench'))
  entries.push('cli/bench/main.ts', 'cli/bench/memory-child.ts', 'cli/bench/apart-child.ts');
const present = entries.filter((file) => existsSync(path.join(root, file)));

/** For a cold start: of zod's fifty languages one, and a bundler that is required, which needs no look for its exports first. */
const lean = {
  name: 'lean',
  setup: (building) => {
    building.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
    building.onResolve({ filter: /^esbuild$/ }, () => ({ path: 'esbuild', namespace: 'required' }));
    building.onLoad({ filter: /.*/, namespace: 'required' }, () => ({
      contents: `import { createRequire } from 'node:module';
export const { build, transform } = createRequire(import.meta.url)('esbuild');`,
    }));
  },
};

await rm(path.join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: present,
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
});

// Measured from a cold start: finding the many files of a package would be most of it.
if (process.argv.includes('bench'))
  await build({
    absWorkingDir: root,
    entryPoints: ['cli/bench/spin-child.ts'],
    outdir: 'dist',
    outbase: '.',
    bundle: true,
    splitting: true,
    external: ['fengari', 'fengari/*', 'ioredis-mock'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    plugins: [lean],
    logLevel: 'warning',
  });

if (process.argv.includes('types')) declareTypes();

/** An installation without development dependencies runs without declarations. */
function declareTypes() {
  let manifest;
  try {
    manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  } catch {
    return;
  }
  const compiler = path.join(path.dirname(manifest), 'bin', 'tsc');
  const project = path.join(root, '.config', 'tsconfig.types.json');
  const { status } = spawnSync(process.execPath, [compiler, '--project', project], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}
