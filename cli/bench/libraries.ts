/** What npm libraries cost on the direct transport, beside the reference Redlock on the same load. */
import { apart } from './apart.js';
import type { LoadName } from './loads.js';
import { compare, runsPerSecond, type Effort } from './pairs.js';

export interface LibraryFigures {
  readonly lock: string;
  readonly load: LoadName;
  readonly runsPerSecond: number;
  /** How many runs the reference Redlock does in the time of one. */
  readonly times: number;
}

const REFERENCE = 'redlock';

/** Libraries with code as different as can be: bluebird, promises, generated scripts, timers of their own. */
const LIBRARIES: readonly { readonly lock: string; readonly load: LoadName }[] = [
  { lock: 'redlock@4.2.0', load: '5x3' },
  { lock: 'redlock@5.0.0-beta.2', load: '5x3' },
  { lock: '@sesamecare-oss/redlock@1.4.0', load: '5x3' },
  { lock: 'redis-semaphore@5.8.0/redlock-mutex', load: '5x3' },
  { lock: 'redlock-universal@0.8.5/redlock', load: '5x3' },
  { lock: 'redis-semaphore@5.8.0', load: '1x2' },
  { lock: '@microfleet/ioredis-lock@6.0.1', load: '1x2' },
];

/** One library after the other, each in turn with the reference. */
export async function measureLibraries(effort: Effort): Promise<readonly LibraryFigures[]> {
  const figures: LibraryFigures[] = [];
  for (const { lock, load } of LIBRARIES) {
    const reference = apart('lockpick', load, REFERENCE);
    const library = apart('lockpick', load, lock);
    const { ratio, theirs } = await compare(reference, library, effort);
    await Promise.all([reference.finish(), library.finish()]);
    figures.push({ lock, load, runsPerSecond: runsPerSecond(theirs), times: ratio });
  }
  return figures;
}
