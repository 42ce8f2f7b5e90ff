/** What the threads of a pool share with their owner. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { LoadedLock } from '../../sim/load.js';
import { packageRoot } from '../../src/resolve.js';

/** Given to each thread when it starts. */
export interface ThreadData {
  /** Locks that need no loading: all threads run the very same bundle, whatever becomes of the file meanwhile. */
  readonly locks: readonly LoadedLock[];
}

/** A task on its way to a thread. */
export interface Posted<T> {
  readonly task: T;
  /** What is under way, for whoever looks at a thread that does not answer. */
  readonly mark: SharedArrayBuffer;
}

/** Cells of a mark. */
const UNDER_WAY = 0;
const BEATS = 1;

/** The run that a thread is at, and whether it gets on. One store a run. */
export class Mark {
  private readonly cells: Int32Array;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(buffer);
  }

  clear(): void {
    this.cells[UNDER_WAY] = -1;
    this.cells[BEATS] = 0;
  }

  /** A run begins; the thread gives a sign of life. */
  readonly begin = (run: number): void => {
    this.cells[UNDER_WAY] = run;
    this.cells[BEATS]!++;
  };

  /** The run under way; null: none has begun. */
  get run(): number | null {
    const run = Atomics.load(this.cells, UNDER_WAY);
    return run < 0 ? null : run;
  }

  get beats(): number {
    return Atomics.load(this.cells, BEATS);
  }
}

/** The built entry of a thread: in the package and in a checkout that was built. */
export function threadFile(): string {
  const file = path.join(packageRoot(), 'dist', 'cli', 'pool', 'thread.js');
  if (!existsSync(file)) throw new Error(`${file} is missing: \`npm run build\` makes it`);
  return pathToFileURL(file).href;
}
