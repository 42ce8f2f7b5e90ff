/** Runs a long campaign in a process of its own and reports what it keeps. Needs --expose-gc. */
import { lockpick } from './lockpick.js';
import { LOADS } from './loads.js';
import type { MemoryFigures } from './memory.js';

const [runs = 20_000, warmUp = 2_000] = process.argv.slice(2).map(Number);
const collect = globalThis.gc;
if (collect === undefined) throw new Error('memory is measured under node --expose-gc');

async function reading(): Promise<{ rssMiB: number; heapBytes: number }> {
  for (let round = 0; round < 4; round++) {
    // Some of what a macrotask held is free only when it has ended.
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect!();
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMiB: rss / 2 ** 20, heapBytes: heapUsed };
}

const contender = await lockpick(LOADS['5x3'], 'redlock');
await contender.measure(warmUp, 1);
const start = await reading();
const batches = 20;
for (let batch = 0; batch < batches; batch++) {
  await contender.measure(Math.round(runs / batches), 1 + warmUp + batch * runs);
}
const end = await reading();
await contender.finish();
const figures: MemoryFigures = {
  runs,
  rssMiB: { start: start.rssMiB, end: end.rssMiB },
  keptBytesPerRun: (end.heapBytes - start.heapBytes) / runs,
};
process.stdout.write(JSON.stringify(figures));
