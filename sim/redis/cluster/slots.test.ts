import { describe, expect, it } from 'vitest';
import { divideSlots, rangeOf, slotOf, SLOTS } from './slots.js';

describe('the slot of a key', () => {
  // As CLUSTER KEYSLOT of redis-server 7.0.15 answers; 12739 is the specification's own check value of CRC16.
  it.each([
    ['123456789', 12_739],
    ['a', 15_495],
    ['b', 3300],
    ['foo', 12_182],
    ['lock:a', 6035],
    ['', 0],
    ['{user1000}.following', 3443],
    ['x{a}{b}', 15_495],
    ['{}x', 10_595],
    ['x{}{y}', 14_166],
    ['{{a}}', 10_276],
    ['foo{bar', 15_278],
  ])('of %j is %i', (key, slot) => {
    expect(slotOf(key)).toBe(slot);
  });

  it('is that of its hash tag', () => {
    expect(slotOf('lock:{a}:fence')).toBe(slotOf('a'));
  });
});

describe('slots divided among masters', () => {
  // As redis-cli --cluster create of 7.0.15 divides them.
  it.each([
    [3, [5460, 10_922, 16_383]],
    [4, [4095, 8191, 12_287, 16_383]],
    [5, [3276, 6553, 9829, 13_106, 16_383]],
    [6, [2730, 5460, 8191, 10_922, 13_652, 16_383]],
    [7, [2340, 4680, 7021, 9361, 11_702, 14_042, 16_383]],
  ])('%i masters: up to %j', (masters, lasts) => {
    const ranges = divideSlots(masters);
    expect(ranges.map(({ last }) => last)).toEqual(lasts);
    expect(ranges.map(({ first }) => first)).toEqual([0, ...lasts.slice(0, -1).map((last) => last + 1)]);
  });

  it('leave no slot without a master', () => {
    const ranges = divideSlots(99);
    for (let slot = 0; slot < SLOTS; slot++) {
      const { first, last } = ranges[rangeOf(ranges, slot)]!;
      expect(slot >= first && slot <= last).toBe(true);
    }
  });
});
