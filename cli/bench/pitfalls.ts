/** How soon a plain hunt, which is told nothing but the lock's name, finds the mistake of each pitfall. */
import { Hunt } from '../../properties/search/hunt/hunt.js';
import { loadLock } from '../../sim/load.js';
import { LOCKS } from '../../src/registry.js';
import { resolveLock } from '../../src/resolve.js';
import { median } from './statistics.js';

export interface PitfallFigures {
  readonly pitfall: string;
  /** Of each seed: so many runs it took to find something that the lock is to blame for; null: more than were tried. */
  readonly runs: readonly (number | null)[];
}

const SEEDS = [1, 2, 3];
/** The most runs of a hunt. */
const WITHIN = 20_000;
const CHUNK = 50;

export async function measurePitfalls(say: (text: string) => void): Promise<readonly PitfallFigures[]> {
  const figures: PitfallFigures[] = [];
  for (const { name } of LOCKS.filter(({ kind }) => kind === 'pitfall')) {
    const runs: (number | null)[] = [];
    for (const seed of SEEDS) runs.push(await runsUntilFound(name, seed));
    figures.push({ pitfall: name, runs });
    say(`${name} is found after ${runs.join(', ')} runs`);
  }
  return figures;
}

/** The median over all pitfalls and seeds; what was not found counts as never. */
export function medianRuns(figures: readonly PitfallFigures[]): number {
  return median(figures.flatMap(({ runs }) => runs.map((count) => count ?? Infinity)));
}

async function runsUntilFound(lock: string, seed: number): Promise<number | null> {
  const plain = { assume: 'everything', kinds: null, properties: null, sets: [], reuse: true } as const;
  const hunt = new Hunt({ lock, seed, ...plain }, await loadLock(resolveLock(lock)));
  for (let from = 0; from < WITHIN; from += CHUNK) {
    const { findings } = await hunt.range(from, from + CHUNK);
    const runs = findings.filter(({ blame }) => blame === 'library').map(({ run }) => run);
    if (runs.length > 0) return Math.min(...runs) + 1;
  }
  return null;
}
