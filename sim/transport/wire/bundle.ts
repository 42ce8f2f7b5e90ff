/** Bundles a lock with a real client package. Node only. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LockSource } from '../../../src/resolve.js';
import { bundleLock, type LockBundle } from '../../sealed/bundle.js';
import { LockModuleError } from '../../sealed/errors.js';

/**
 * @param clientPackage `ioredis`, `redis`, or either with a major version: `ioredis@6`. A version that is not the one installed
 *   under the package's name is looked for under `ioredis-6`
 * @throws LockModuleError if it is not installed
 */
export async function bundleOnWire(
  { entry, from, npm }: LockSource,
  clientPackage: string,
): Promise<LockBundle> {
  const [name, major] = clientPackage.split('@') as [string, string?];
  const companion = programFile(name);
  const installed = major === undefined ? name : installedAs(name, major, [from, path.dirname(companion)]);
  const aliases = installed === name ? undefined : { [name]: installed };
  return bundleLock(entry, { from, npm, companion, aliases });
}

/** Under which name the package is installed in this major version. */
function installedAs(name: string, major: string, places: readonly string[]): string {
  for (const place of places)
    for (const candidate of [name, `${name}-${major}`])
      if (versionAt(candidate, place)?.split('.')[0] === major) return candidate;
  throw new LockModuleError(
    'missing-package',
    `the client package ${name}@${major} is not installed: npm i -D ${name}-${major}@npm:${name}@${major}`,
  );
}

function versionAt(name: string, place: string): string | null {
  for (let at = place; ; at = path.dirname(at)) {
    const file = path.join(at, 'node_modules', name, 'package.json');
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
    if (path.dirname(at) === at) return null;
  }
}

/** The module that the seal loads is shipped as it is, wherever this one was bundled to. */
function programFile(name: string): string {
  const program = path.join('sim', 'transport', 'wire', 'programs', `${name}.ts`);
  let directory = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(directory, program))) {
    const parent = path.dirname(directory);
    if (parent === directory) throw new Error(`${program} is not where it should be`);
    directory = parent;
  }
  return path.join(directory, program);
}
