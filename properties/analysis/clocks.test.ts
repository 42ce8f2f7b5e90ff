import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import {
  elapseWithoutFaults,
  endReadingUs,
  firstAtLeast,
  firstBelow,
  readClock,
  type ClockSegment,
} from './clocks.js';

function segment(
  tUs: number,
  wallUs: number,
  ppm = 0,
  cause: ClockSegment['cause'] = 'initial',
): ClockSegment {
  const rates = { wallPpm: ppm, monoPpm: ppm };
  return { i: 0, tUs, host: 'h', kind: 'clock', wallUs, monoUs: tUs, ...rates, cause };
}

const SEED = { seed: 20_261_129, numRuns: 300 };

/** A few segments with steps and rates, from time 0 on. */
const clockOf = fc
  .array(
    fc.record({
      forUs: fc.integer({ min: 1, max: 40 }),
      byUs: fc.integer({ min: -30, max: 30 }),
      ppm: fc.constantFrom(0, 0, 200_000, -300_000),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => {
    const segments: ClockSegment[] = [];
    let tUs = 0;
    for (const { forUs, byUs, ppm } of parts) {
      const wallUs = segments.length === 0 ? 100 : readClock(segments, 'wall', tUs) + byUs;
      segments.push(segment(tUs, wallUs, ppm, segments.length === 0 ? 'initial' : 'step'));
      tUs += forUs;
    }
    return segments;
  });

describe('clocks', () => {
  it('reads a line with a rate, rounded down as the simulator does', () => {
    const clock = [segment(1000, 5000, 500)];
    expect(readClock(clock, 'wall', 1000)).toBe(5000);
    expect(readClock(clock, 'wall', 2999)).toBe(6999);
    expect(readClock(clock, 'wall', 3000)).toBe(7001);
  });

  test.prop([clockOf, fc.integer({ min: 40, max: 260 }), fc.integer({ min: 0, max: 120 })], SEED)(
    'finds the first instant at or above a reading, and below it, as a walk over all instants does',
    (clock, valueUs, fromUs) => {
      const horizon = 700;
      let atLeast = Infinity;
      let below = Infinity;
      for (let tUs = horizon; tUs >= fromUs; tUs--) {
        if (readClock(clock, 'wall', tUs) >= valueUs) atLeast = tUs;
        else below = tUs;
      }
      expect(firstAtLeast(clock, 'wall', valueUs, fromUs)).toBe(atLeast);
      expect(firstBelow(clock, 'wall', valueUs, fromUs)).toBe(below);
    },
  );

  it('takes a whole-millisecond clock and a fractional end as a program does', () => {
    expect(endReadingUs('wall', 988)).toBe(988_000);
    expect(endReadingUs('wall', 987.2)).toBe(988_000);
    expect(endReadingUs('monotonic', 1234.567)).toBe(1_234_567);
    expect(endReadingUs('wall', 1_767_225_600_989)).toBe(1_767_225_600_989_000);
  });

  it('elapses without steps, and at the other rate where the two differ too much', () => {
    const client = [segment(0, 0)];
    const stepped = [segment(0, 0), segment(50, 900, 0, 'step')];
    expect(elapseWithoutFaults(stepped, client, 'wall', 0, 100, 10_000)).toBe(100);
    const fast = [segment(0, 0, 250_000)];
    expect(elapseWithoutFaults(fast, client, 'wall', 0, 100, 300_000)).toBe(80);
    expect(elapseWithoutFaults(fast, client, 'wall', 0, 100, 10_000)).toBe(100);
    const fastLater = [segment(0, 0), segment(40, 40, 250_000, 'drift')];
    expect(elapseWithoutFaults(fastLater, client, 'wall', 0, 100, 300_000)).toBe(88);
  });
});
