/**
 * A wall clock for a real server that stands still until it is moved: Debian's libfaketime, preloaded, reads the time from a
 * file at every call.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Path of libfaketime, looked for where Debian's multi-arch layout puts it; undefined: it is not installed. */
export function installedFaketime(): string | undefined {
  if (!existsSync('/usr/lib')) return undefined;
  return readdirSync('/usr/lib', { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join('/usr/lib', entry.name, 'faketime', 'libfaketime.so.1'))
    .find((file) => existsSync(file));
}

/** Shared memory where there is some: the server reads the file several times a command. */
function scratchDirectory(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
}

export class FrozenClock {
  readonly #directory = mkdtempSync(path.join(scratchDirectory(), 'lockpick-clock-'));
  readonly #file = path.join(this.#directory, 'now');
  readonly #handle = openSync(this.#file, 'w');

  constructor(
    readonly library: string,
    wallUs: number,
  ) {
    this.set(wallUs);
  }

  /** What the server's process needs in its environment. */
  get environment(): Record<string, string> {
    return {
      // The C library comes before jemalloc: libfaketime allocates while it starts, and jemalloc asks for the time while it does.
      LD_PRELOAD: `${this.library}:libc.so.6`,
      TZ: 'UTC',
      FAKETIME_FMT: '%s',
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      // The event loop's timers go on.
      DONT_FAKE_MONOTONIC: '1',
    };
  }

  /**
   * From here on it is this instant, in whole microseconds. All instants have the same number of digits, so that one write
   * replaces one by the other.
   */
  set(wallUs: number): void {
    const seconds = String(Math.floor(wallUs / 1e6)).padStart(10, '0');
    // libfaketime cuts the fraction off at a double that may lie below it; half a microsecond keeps that apart.
    writeSync(this.#handle, `${seconds}.${String(wallUs % 1e6).padStart(6, '0')}5\n`, 0);
  }

  remove(): void {
    closeSync(this.#handle);
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
