// `npm run conformance`: bundles the suite apart from dist/, so that both can be built at the same time, and runs it.
import { build } from 'esbuild';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Beside the dependencies, which the bundle does not contain.
const outfile = path.join(root, 'node_modules', '.lockpick-conformance', `${process.pid}.mjs`);
mkdirSync(path.dirname(outfile), { recursive: true });
await build({
  absWorkingDir: root,
  entryPoints: ['sim/redis/conformance/main.ts'],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
});
process.on('exit', () => rmSync(outfile, { force: true }));
await import(pathToFileURL(outfile).href);
