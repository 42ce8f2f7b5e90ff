/** What a run costs when its clients are a real package on the wire. */
import type { Load } from './loads.js';
import { lockpick } from './lockpick.js';
import { calibrate, runsPerSecond, type Effort } from './pairs.js';
import { median } from './statistics.js';

export interface WireFigures {
  readonly clientPackage: string;
  readonly runsPerSecond: number;
  readonly commandsPerRun: number;
}

/** The load with `redlock@4.2.0`, its instances kept, one run in 64 repeated in a process beside this one. */
export async function measureWire(load: Load, clientPackage: string, effort: Effort): Promise<WireFigures> {
  const contender = await lockpick(load, 'redlock@4.2.0', 'beside', { transport: 'wire', clientPackage });
  const runs = await calibrate(contender, effort);
  const speeds: number[] = [];
  let commands = 0;
  for (let batch = 0; batch < effort.pairs; batch++) {
    const tally = await contender.measure(runs, 1 + batch * runs);
    speeds.push(runsPerSecond(tally));
    commands += tally.commands;
  }
  await contender.finish();
  return {
    clientPackage,
    runsPerSecond: median(speeds),
    commandsPerRun: commands / (runs * effort.pairs),
  };
}
