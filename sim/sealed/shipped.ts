/** Node only: modules that a seal loads as they are shipped. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The absolute path of a source file of lockpick's own, wherever this module was bundled to. */
export function shippedFile(relative: string): string {
  let directory = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(directory, relative))) {
    const parent = path.dirname(directory);
    if (parent === directory) throw new Error(`${relative} is not where it should be`);
    directory = parent;
  }
  return path.join(directory, relative);
}
