import { builtin } from './builtins.js';
import type { ReadOwnFile } from './realm/fs.js';

interface FsHost {
  readFileSync(path: string): Uint8Array;
  statSync(path: string): { isFile(): boolean };
  realpathSync(path: string): string;
}

/**
 * Reads the files of a bundle's own packages, each once: all instances see the same content. Nothing outside of the
 * packages' directories exists.
 */
export function ownFileReader(roots: Readonly<Record<string, string>>): ReadOwnFile {
  const read = new Map<string, Uint8Array | null>();
  const places = Object.entries(roots).sort(([a], [b]) => b.length - a.length);
  return (given) => {
    const sealed = normalize(given);
    const known = read.get(sealed);
    if (known !== undefined) return known;
    const place = places.find(([prefix]) => sealed.startsWith(`${prefix}/`));
    const bytes = place === undefined ? null : readInside(place[1], sealed.slice(place[0].length + 1));
    read.set(sealed, bytes);
    return bytes;
  };
}

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

function readInside(directory: string, relative: string): Uint8Array | null {
  const fs = builtin('fs') as FsHost | undefined;
  if (fs === undefined) return null;
  try {
    const file = fs.realpathSync(`${directory}/${relative}`);
    if (!file.startsWith(fs.realpathSync(directory)) || !fs.statSync(file).isFile()) return null;
    return fs.readFileSync(file);
  } catch {
    return null;
  }
}
