/** Which part of a run is worth showing: from the first asking that matters to the last thing that follows from it. */
import type { Violation } from '../../properties/verdict.js';
import type { Interval } from './clocks.js';
import type { HoldView, RunView } from './model.js';

/** Margin on both sides, as a share of the window. */
const MARGIN = 0.03;

export function windowOf(view: RunView, violation: Violation | undefined): Interval {
  const all = [...view.holds.values()];
  const concerned = violation === undefined ? [] : all.filter(({ hold }) => violation.holds.includes(hold));
  const shown = concerned.length > 0 ? concerned : all;
  const times = shown.flatMap((hold) => timesOf(view, hold));
  if (violation !== undefined) times.push(violation.atUs);
  for (const { tUs } of view.faults) if (concerned.length === 0) times.push(tUs);
  if (times.length === 0) return { fromUs: 0, untilUs: Math.max(view.endUs, 1000) };
  const fromUs = Math.min(...times);
  const untilUs = Math.max(...times, fromUs + 1000);
  const margin = Math.ceil((untilUs - fromUs) * MARGIN);
  return {
    fromUs: Math.max(0, fromUs - margin),
    untilUs: Math.max(Math.min(view.endUs, untilUs + margin), fromUs + 1000),
  };
}

function timesOf(view: RunView, hold: HoldView): number[] {
  const given = [hold.askedUs, hold.grantedUs, hold.lostUs, hold.releaseUs, hold.releasedUs, hold.crashedUs];
  const keys = view.keys.filter(({ setter, ended }) => setter === hold.hold && ended !== null);
  const uses = view.uses.filter((use) => use.hold === hold.hold);
  return [
    ...given.filter((time) => time !== null),
    ...hold.believes.map(({ untilUs }) => untilUs),
    ...keys.map(({ untilUs }) => untilUs),
    ...uses.map(({ arrivedUs, sentUs }) => arrivedUs ?? sentUs),
  ];
}
