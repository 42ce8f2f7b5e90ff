/** Progress of long work on stderr: one line that updates where a person looks on, sparse lines elsewhere. */
export interface Progress {
  /** `done` of the total are finished, `what` is under way. */
  at(done: number, what: string): void;
  /** Clears the line. */
  done(): void;
}

/** A terminal is drawn to at most this often; a log gets a line at most every ten seconds. */
const DRAW_EVERY_MS = 80;
const LOG_EVERY_MS = Number(process.env['LOCKPICK_PROGRESS_MS'] ?? 10_000);

export function startProgress(
  total: number,
  { quiet, stream = process.stderr }: { quiet: boolean; stream?: NodeJS.WriteStream },
): Progress {
  if (quiet) return { at() {}, done() {} };
  const live = stream.isTTY === true && process.env['TERM'] !== 'dumb';
  let lastMs = live ? 0 : performance.now();
  let drawn = false;
  return {
    at(done, what) {
      const nowMs = performance.now();
      if (nowMs - lastMs < (live ? DRAW_EVERY_MS : LOG_EVERY_MS)) return;
      lastMs = nowMs;
      // What is to come may be a guess.
      const of = Math.max(total, done);
      const line = `${String(done).padStart(String(of).length)}/${of} ${what}`;
      if (!live) {
        stream.write(`${line}\n`);
        return;
      }
      drawn = true;
      stream.write(`\r${bar(done, of)} ${line}`.slice(0, (stream.columns ?? 80) - 1).concat('\x1b[K'));
    },
    done() {
      if (drawn) stream.write('\r\x1b[K');
    },
  };
}

function bar(done: number, total: number): string {
  const width = 20;
  const filled = total === 0 ? width : Math.round((done / total) * width);
  return `${'━'.repeat(filled)}${'─'.repeat(width - filled)}`;
}
