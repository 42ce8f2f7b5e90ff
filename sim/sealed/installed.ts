/** Node only: where a package is installed in the version that is wanted, be it under another name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface NpmPackage {
  readonly package: string;
  readonly version: string;
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
}

/** A package's own account of itself; null where there is none. Some write their version with a `v`. */
export function manifestIn(directory: string): Manifest | null {
  const file = path.join(directory, 'package.json');
  if (!existsSync(file)) return null;
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  return { name, version: version?.replace(/^v/, '') };
}

/**
 * The alias under which the very version is installed for a module in `place`: `redlock-5` where a package.json says
 * `"redlock-5": "npm:redlock@5.0.0-beta.2"`. The nearest node_modules comes first, then names in their order. Null if
 * there is none.
 */
export function aliasOf(wanted: NpmPackage, place: string): string | null {
  for (let at = path.resolve(place); ; at = path.dirname(at)) {
    const modules = path.join(at, 'node_modules');
    const found = existsSync(modules)
      ? namesIn(modules).find((name) => holds(modules, name, wanted))
      : undefined;
    if (found !== undefined) return found;
    if (path.dirname(at) === at) return null;
  }
}

function holds(modules: string, name: string, wanted: NpmPackage): boolean {
  if (name === wanted.package) return false;
  const manifest = manifestIn(path.join(modules, name));
  return manifest?.name === wanted.package && manifest.version === wanted.version;
}

/** Every package of the directory, those of a scope as `@scope/name`. */
function namesIn(modules: string): string[] {
  const names = readdirSync(modules).filter((name) => !name.startsWith('.'));
  return names
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(path.join(modules, name)).map((part) => `${name}/${part}`) : [name],
    )
    .sort();
}
