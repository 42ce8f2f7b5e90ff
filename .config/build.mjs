// Bundles the command line into dist/; with the argument `bench` also the bench, which needs the development
// dependencies. Lock modules in src/ are bundled at run time by the sealed loader.
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = ['cli/main.ts', 'src/index.ts'];
if (process.argv.includes('bench')) entries.push('cli/bench/main.ts', 'cli/bench/memory-child.ts');

const present = entries.filter((file) => existsSync(path.join(root, file)));

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
