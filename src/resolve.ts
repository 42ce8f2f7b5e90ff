/** From what `--lock` says to the module to load: a name of the registry, or a path to a user's own file. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LOCKS } from './registry.js';

export interface LockSource {
  readonly name: string;
  /** Absolute path of the module. */
  readonly entry: string;
  /** The directory whose node_modules come first: the user's own. */
  readonly from: string;
  /** The package, in the version, that an adapter is for. */
  readonly npm?: { readonly package: string; readonly version: string };
}

/** Thrown for a name that no lock has and no file is. */
export class UnknownLock extends Error {
  override readonly name = 'UnknownLock';
}

/** The directory of the package itself, wherever this module was bundled to. */
export function packageRoot(): string {
  let directory = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(directory, 'src', 'contract.ts'))) {
    const parent = path.dirname(directory);
    if (parent === directory) throw new Error('the sources of lockpick are not where they should be');
    directory = parent;
  }
  return directory;
}

/** @throws UnknownLock */
export function resolveLock(nameOrPath: string, from: string = process.cwd()): LockSource {
  const known = LOCKS.find((lock) => lock.name === nameOrPath);
  if (known !== undefined) {
    return { name: known.name, entry: path.join(packageRoot(), known.entry), from, npm: known.npm };
  }
  const looksLikePath = /^\.{0,2}\/|\.[cm]?[jt]s$/.test(nameOrPath);
  const file = path.resolve(from, nameOrPath);
  if (looksLikePath && existsSync(file)) return { name: nameOrPath, entry: file, from: path.dirname(file) };
  throw new UnknownLock(looksLikePath ? `no such file: ${file}` : `no lock is called "${nameOrPath}"`);
}
