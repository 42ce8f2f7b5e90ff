import { refusal } from './refused.js';
import type { AnyFunction, Seat } from './seat.js';

type Members = Record<string, unknown>;

/** Reads a file of the program's own packages by its sealed path; null: no such file. */
export type ReadOwnFile = (sealedPath: string) => Uint8Array | null;

const READS = ['readFile', 'access', 'stat', 'lstat', 'realpath'] as const;
const CHANGES =
  `appendFile chmod chown copyFile cp link mkdir mkdtemp open opendir readdir rename rm rmdir symlink
  truncate unlink utimes writeFile`.split(/\s+/);
const STREAMS = ['createReadStream', 'createWriteStream', 'watch', 'watchFile'];

function missing(call: string, path: string): Error {
  const error = new Error(`ENOENT: no such file or directory, ${call} '${path}'`);
  return Object.assign(error, { code: 'ENOENT', errno: -2, syscall: call, path });
}

function pathOf(path: unknown): string {
  return path instanceof URL ? decodeURIComponent(path.pathname) : String(path);
}

function statsOf(bytes: Uint8Array): Members {
  return {
    size: bytes.length,
    isFile: () => true,
    isDirectory: () => false,
    isSymbolicLink: () => false,
    mode: 0o100444,
  };
}

/** Where the program's own files are; a relative path leads there as well. */
const OWN = /^(\/sealed(\/|$)|[^/])/;

function makeReads(seat: Seat, readOwn: ReadOwnFile): Record<(typeof READS)[number], AnyFunction> {
  // What another machine has in its files would decide what the program does.
  const refused = refusal(seat, 'fs.readFile');
  const find = (call: string, path: unknown): Uint8Array => {
    const bytes = readOwn(pathOf(path));
    if (bytes === null) throw missing(call, pathOf(path));
    return bytes;
  };
  return {
    readFile: (path: unknown, options?: string | { encoding?: string | null } | null) => {
      const encoding = typeof options === 'string' ? options : options?.encoding;
      if (!OWN.test(pathOf(path))) refused(pathOf(path));
      const bytes = find('open', path);
      const copy = typeof Buffer === 'undefined' ? bytes.slice() : Buffer.from(bytes);
      return encoding ? copy.toString(encoding as 'utf8') : copy;
    },
    access: (path: unknown) => void find('access', path),
    stat: (path: unknown) => statsOf(find('stat', path)),
    lstat: (path: unknown) => statsOf(find('lstat', path)),
    realpath: (path: unknown) => {
      find('realpath', path);
      return pathOf(path);
    },
  };
}

/** `fs` and `fs/promises`: the program's own files, for reading. */
export function makeFs(seat: Seat, readOwn: ReadOwnFile): Members {
  const promises: Members = {};
  const module: Members = { promises, constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 }, F_OK: 0, R_OK: 4 };
  for (const [name, read] of Object.entries(makeReads(seat, readOwn))) {
    module[`${name}Sync`] = read;
    promises[name] = async (...args: unknown[]): Promise<unknown> => read(...args);
    module[name] = (...args: unknown[]): void => {
      const callback = args.pop() as AnyFunction;
      const settle = attempt(() => read(...args), callback);
      seat.services.startImmediate(settle);
    };
  }
  module['existsSync'] = (path: unknown) => readOwn(pathOf(path)) !== null;
  for (const name of CHANGES) {
    module[name] = refusal(seat, `fs.${name}`);
    module[`${name}Sync`] = refusal(seat, `fs.${name}Sync`);
    promises[name] = refusal(seat, `fs.promises.${name}`);
  }
  for (const name of STREAMS) module[name] = refusal(seat, `fs.${name}`);
  return module;
}

function attempt(read: () => unknown, callback: AnyFunction): () => void {
  let result: unknown;
  try {
    result = read();
  } catch (error) {
    return () => callback(error);
  }
  return () => callback(null, result);
}
