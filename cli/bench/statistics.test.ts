import { describe, expect, test } from 'vitest';
import { median, meansAgree } from './statistics.js';

describe('median', () => {
  test('takes the middle of an odd number of values, in any order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  test('takes the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });
});

const share = (hits: number, size: number) => ({ size, sum: hits, squares: hits });

describe('meansAgree', () => {
  test('accepts a difference within the tolerance however large the samples', () => {
    expect(meansAgree(share(103_000, 1_000_000), share(100_000, 1_000_000), 0.05)).toBe(true);
  });

  test('refuses a difference beyond it when the samples are large enough to tell', () => {
    expect(meansAgree(share(120_000, 1_000_000), share(100_000, 1_000_000), 0.05)).toBe(false);
  });

  test('accepts what a small sample cannot tell apart', () => {
    expect(meansAgree(share(12, 100), share(10, 100), 0.05)).toBe(true);
    expect(meansAgree(share(60, 100), share(10, 100), 0.05)).toBe(false);
    expect(meansAgree(share(25, 357), share(0, 6), 0.05)).toBe(true);
  });

  test('takes the spread of the values from their squares', () => {
    // Means 70 and 77: ten values that hardly vary tell them apart, ten that vary by 20 don't.
    const steady = (centre: number) => ({ size: 10, sum: centre * 10, squares: (centre ** 2 + 1) * 10 });
    const wild = (centre: number) => ({ size: 10, sum: centre * 10, squares: (centre ** 2 + 400) * 10 });
    expect(meansAgree(steady(77), steady(70), 0.05)).toBe(false);
    expect(meansAgree(wild(77), wild(70), 0.05)).toBe(true);
  });
});
