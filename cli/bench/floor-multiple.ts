/** What an event of ours costs, all told, in units of the floor; measured in turn. */
import { measureFloor } from './floor.js';
import type { LoadName } from './loads.js';
import type { LockpickContender } from './lockpick.js';
import type { Effort } from './pairs.js';
import { calibrate } from './pairs.js';
import { median } from './statistics.js';

export interface FloorFigures {
  readonly load: LoadName;
  /** What an event costs when nothing is simulated. */
  readonly floorNs: number;
  /** What one of ours costs, with locks, network, servers, recording and judging. */
  readonly eventNs: number;
  readonly eventsPerRun: number;
  readonly multiple: number;
}

const FLOOR_EVENTS = 300_000;
const RUNS = 1_500;

export async function measureFloorMultiple(
  load: LoadName,
  contender: LockpickContender,
  effort: Effort,
): Promise<FloorFigures> {
  await measureFloor(FLOOR_EVENTS);
  await calibrate(contender, effort);
  const floors: number[] = [];
  const events: number[] = [];
  const multiples: number[] = [];
  let eventsPerRun = 0;
  for (let pair = 0; pair < effort.pairs; pair++) {
    const floorNs = await measureFloor(FLOOR_EVENTS);
    const before = contender.eventsExecuted();
    const { seconds } = await contender.measure(RUNS, 1 + pair * RUNS);
    const executed = contender.eventsExecuted() - before;
    const eventNs = (seconds * 1e9) / executed;
    floors.push(floorNs);
    events.push(eventNs);
    multiples.push(eventNs / floorNs);
    eventsPerRun = executed / RUNS;
  }
  return {
    load,
    floorNs: median(floors),
    eventNs: median(events),
    eventsPerRun,
    multiple: median(multiples),
  };
}
