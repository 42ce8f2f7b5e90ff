/** Locks as tests name them. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LockName } from './public.js';

/**
 * The word for `--lock` in a replay line: files relative to the working directory, so that neither command nor digest depends on
 * where a checkout is.
 * @throws TypeError for a URL of anything but a file
 */
export function lockWord(lock: LockName): string {
  if (typeof lock === 'string') return lock.startsWith('file:') ? relative(new URL(lock)) : lock;
  return relative(lock);
}

function relative(url: URL): string {
  if (url.protocol !== 'file:')
    throw new TypeError(`${url.href} is no file: a lock is named by a file: URL, a path or a known name`);
  const word = path.relative(process.cwd(), fileURLToPath(url)).split(path.sep).join('/');
  return word.startsWith('../') ? word : `./${word}`;
}
