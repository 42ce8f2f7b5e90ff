/** Bundles a lock with a real client package. Node only. */
import path from 'node:path';
import type { LockSource } from '../../../src/resolve.js';
import { bundleLock, type LockBundle } from '../../sealed/bundle.js';
import { LockModuleError } from '../../sealed/errors.js';
import { manifestIn } from '../../sealed/installed.js';
import { shippedFile } from '../../sealed/shipped.js';

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
  const companion = shippedFile(`sim/transport/wire/programs/${name}.ts`);
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
    const manifest = manifestIn(path.join(at, 'node_modules', name));
    if (manifest !== null) return manifest.version ?? null;
    if (path.dirname(at) === at) return null;
  }
}
