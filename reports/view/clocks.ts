/** A host's clocks over true time, as the history's `clock` events tell them. */
import type { Claim, EventOf } from '../../sim/history/events.js';

type ClockName = Claim['clock'];

type ClockEvent = EventOf<'clock'>;

/** Half-open, in microseconds of true time. */
export interface Interval {
  readonly fromUs: number;
  readonly untilUs: number;
}

export class ClockTrack {
  /** In order of true time; the first stands at the start of the run. */
  constructor(private readonly changes: readonly ClockEvent[]) {}

  /** What the clock reads at an instant, in microseconds. */
  readingUs(clock: ClockName, atUs: number): number {
    let current = this.changes[0];
    for (const change of this.changes) if (change.tUs <= atUs) current = change;
    return current === undefined ? atUs : readingOf(current, clock, atUs);
  }

  /** By how much a change moved the wall clock, in microseconds. */
  stepUs(change: ClockEvent): number {
    const index = this.changes.indexOf(change);
    const before = this.changes[index - 1];
    return before === undefined ? 0 : change.wallUs - readingOf(before, 'wall', change.tUs);
  }

  /** The instants in [fromUs, untilUs) at which the clock reads below `endMs`: a step back may revive a claim. */
  below(clock: ClockName, endMs: number, fromUs: number, untilUs: number): Interval[] {
    const intervals: Interval[] = [];
    this.changes.forEach((change, index) => {
      const next = this.changes[index + 1]?.tUs ?? Infinity;
      const from = Math.max(change.tUs, fromUs);
      const reached = reachedAt(change, clock, Math.round(endMs * 1000));
      const until = Math.min(next, untilUs, Math.max(reached, from));
      if (until <= from) return;
      const last = intervals.at(-1);
      if (last !== undefined && last.untilUs === from)
        intervals[intervals.length - 1] = { ...last, untilUs: until };
      else intervals.push({ fromUs: from, untilUs: until });
    });
    return intervals;
  }
}

function readingOf(change: ClockEvent, clock: ClockName, atUs: number): number {
  const elapsed = atUs - change.tUs;
  const ppm = clock === 'wall' ? change.wallPpm : change.monoPpm;
  const base = clock === 'wall' ? change.wallUs : change.monoUs;
  return base + elapsed + Math.floor((elapsed * ppm) / 1e6);
}

/** First instant from the change on at which the clock reads `targetUs` or more, if nothing changes it again. */
function reachedAt(change: ClockEvent, clock: ClockName, targetUs: number): number {
  const rate = 1 + (clock === 'wall' ? change.wallPpm : change.monoPpm) / 1e6;
  const base = clock === 'wall' ? change.wallUs : change.monoUs;
  let atUs = change.tUs + Math.max(0, Math.floor((targetUs - base) / rate) - 2);
  while (readingOf(change, clock, atUs) < targetUs) atUs++;
  return atUs;
}
