/**
 * Host clocks as the history tells them: piecewise-linear functions of true time. All values are microseconds.
 *
 * A host's segments are its `clock` events in order; each holds from its `tUs` to the next one's.
 */
import type { ClockName } from '../../src/contract.js';
import type { EventOf } from '../../sim/history/events.js';

export type ClockSegment = EventOf<'clock'>;

/** What a clock gains in `dtUs` of true time, as the simulator counts it. */
function gained(dtUs: number, ppm: number): number {
  return ppm === 0 ? dtUs : dtUs + Math.floor((dtUs * ppm) / 1e6);
}

/** Index of the segment in force at `tUs`; the first one also stands for the time before it. */
export function segmentIndex(segments: readonly ClockSegment[], tUs: number): number {
  let index = segments.length - 1;
  while (index > 0 && segments[index]!.tUs > tUs) index--;
  return index;
}

function baseOf(segment: ClockSegment, clock: ClockName): number {
  return clock === 'wall' ? segment.wallUs : segment.monoUs;
}

export function ppmOf(segment: ClockSegment, clock: ClockName): number {
  return clock === 'wall' ? segment.wallPpm : segment.monoPpm;
}

/** What the clock shows at a true time, in microseconds. A host without a clock event shows true time. */
export function readClock(segments: readonly ClockSegment[], clock: ClockName, tUs: number): number {
  if (segments.length === 0) return tUs;
  const segment = segments[segmentIndex(segments, tUs)]!;
  return baseOf(segment, clock) + gained(tUs - segment.tUs, ppmOf(segment, clock));
}

/** What the clock showed when an event was recorded: a change of the clock later in the same microsecond does not count. */
export function readClockAtEvent(
  segments: readonly ClockSegment[],
  clock: ClockName,
  event: { readonly i: number; readonly tUs: number },
): number {
  let index = segments.length - 1;
  if (index < 0) return event.tUs;
  while (index > 0 && segments[index]!.i > event.i) index--;
  const segment = segments[index]!;
  return baseOf(segment, clock) + gained(event.tUs - segment.tUs, ppmOf(segment, clock));
}

/** Rate of the clock against true time (1 = true) at a true time. */
export function rateAt(segments: readonly ClockSegment[], clock: ClockName, tUs: number): number {
  if (segments.length === 0) return 1;
  return 1 + ppmOf(segments[segmentIndex(segments, tUs)]!, clock) / 1e6;
}

/** Least true time from the segment's start on at which the segment's line shows `valueUs` or more. */
function solve(segment: ClockSegment, clock: ClockName, valueUs: number): number {
  const missing = valueUs - baseOf(segment, clock);
  const ppm = ppmOf(segment, clock);
  if (missing <= 0) return segment.tUs;
  if (ppm === 0) return segment.tUs + missing;
  let dtUs = Math.max(0, Math.floor(missing / (1 + ppm / 1e6)) - 2);
  while (gained(dtUs, ppm) < missing) dtUs++;
  return segment.tUs + dtUs;
}

/** The first true time not before `fromUs` at which the clock shows `valueUs` or more; Infinity if it never does. */
export function firstAtLeast(
  segments: readonly ClockSegment[],
  clock: ClockName,
  valueUs: number,
  fromUs: number,
): number {
  if (valueUs === Infinity) return Infinity;
  if (segments.length === 0) return Math.max(fromUs, valueUs);
  if (readClock(segments, clock, fromUs) >= valueUs) return fromUs;
  for (let index = segmentIndex(segments, fromUs); ; index++) {
    const tUs = Math.max(fromUs, solve(segments[index]!, clock, valueUs));
    const next = segments[index + 1];
    if (next === undefined || tUs < next.tUs) return tUs;
  }
}

/** The first true time not before `fromUs` at which the clock shows less than `valueUs`: then, or at a step back. */
export function firstBelow(
  segments: readonly ClockSegment[],
  clock: ClockName,
  valueUs: number,
  fromUs: number,
): number {
  if (readClock(segments, clock, fromUs) < valueUs) return fromUs;
  for (let index = 0; index < segments.length; index++) {
    const segment = segments[index]!;
    if (segment.tUs > fromUs && baseOf(segment, clock) < valueUs) return segment.tUs;
  }
  return Infinity;
}

/**
 * The reading, in microseconds, from which a program that compares its clock with `endMs` finds the end reached.
 * `Date.now()` shows whole milliseconds, `performance.now()` whole microseconds.
 */
export function endReadingUs(clock: ClockName, endMs: number): number {
  // The subtraction takes back the rounding of a product such as 1234.567 × 1000.
  return clock === 'wall' ? Math.ceil(endMs - 1e-9) * 1000 : Math.ceil(endMs * 1000 - 1e-4);
}

/** The wall reading of a server, in microseconds, from which a key with this deadline is gone (`now > when` in ms). */
export function deadlineReadingUs(deadlineMs: number | null): number {
  return deadlineMs === null ? Infinity : (deadlineMs + 1) * 1000;
}

/**
 * True time at which a clock has gained `durationUs` since `fromUs` when its steps are undone. Where its rate differs
 * from the other host's by more than `boundPpm`, the other's rate is taken instead.
 */
export function elapseWithoutFaults(
  server: readonly ClockSegment[],
  client: readonly ClockSegment[],
  clientClock: ClockName,
  fromUs: number,
  durationUs: number,
  boundPpm: number,
): number {
  if (durationUs === Infinity) return Infinity;
  let tUs = fromUs;
  let leftUs = durationUs;
  for (;;) {
    const serverRate = rateAt(server, 'wall', tUs);
    const clientRate = rateAt(client, clientClock, tUs);
    const rate = differ(serverRate, clientRate, boundPpm) ? clientRate : serverRate;
    const changeUs = Math.min(nextChange(server, tUs), nextChange(client, tUs));
    const doneUs = tUs + Math.ceil(leftUs / rate);
    if (doneUs <= changeUs) return doneUs;
    leftUs -= (changeUs - tUs) * rate;
    tUs = changeUs;
  }
}

/** Whether two rates differ by more than the bound, in parts per million of the second. */
export function differ(rate: number, other: number, boundPpm: number): boolean {
  return Math.abs(rate / other - 1) * 1e6 > boundPpm + 1e-6;
}

function nextChange(segments: readonly ClockSegment[], tUs: number): number {
  for (let index = 0; index < segments.length; index++) {
    if (segments[index]!.tUs > tUs) return segments[index]!.tUs;
  }
  return Infinity;
}
