import { vi } from 'vitest';
import { runCommand } from '../program.js';
import type { Ended } from './lockpick.js';

/** The command without a process of its own: what it writes, and the exit code it would end with. */
export async function inProcess(args: readonly string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await runCommand(args), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
