// Bundles the command line into dist/. Lock modules in src/ are bundled at run time by the sealed loader.
import { build } from 'esbuild';
import { rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('..', import.meta.url));
const entries = ['cli/main.ts', 'cli/bench/main.ts', 'src/index.ts'].filter((file) =>
  existsSync(path.join(root, file)),
);

await rm(path.join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: entries,
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
