/** Where the thread's program is. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shippedFile } from '../../../sim/sealed/shipped.js';

const BUILT = 'dist/cli/vitest/thread/main.js';

/** The built module; run from its TypeScript source, this bundles the thread's source as it is now. */
export function threadEntry(): Promise<string> {
  return import.meta.url.endsWith('.ts') ? (bundled ??= bundleSource()) : Promise.resolve(shippedFile(BUILT));
}

let bundled: Promise<string> | undefined;

async function bundleSource(): Promise<string> {
  const { build } = await import('esbuild');
  const root = path.dirname(shippedFile('package.json'));
  // Beside the dependencies, which the bundle does not contain.
  const outfile = path.join(root, 'node_modules', '.lockpick-thread', `${process.pid}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('./main.ts', import.meta.url))],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
  });
  process.on('exit', () => rmSync(outfile, { force: true }));
  return outfile;
}
