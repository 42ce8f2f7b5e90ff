/** Memory over a long campaign, measured where the opponents' garbage is not. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface MemoryFigures {
  readonly runs: number;
  /** Resident size after a warm-up and after the last run. */
  readonly rssMiB: { readonly start: number; readonly end: number };
  /** Growth of the live heap, per run. */
  readonly keptBytesPerRun: number;
}

export async function measureMemory(runs: number): Promise<MemoryFigures> {
  const child = fileURLToPath(new URL('./memory-child.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', child, String(runs)]);
  return JSON.parse(stdout) as MemoryFigures;
}
