import { describe, expect, test } from 'vitest';
import { median, sharesAgree } from './statistics.js';

describe('median', () => {
  test('takes the middle of an odd number of values, in any order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  test('takes the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });
});

describe('sharesAgree', () => {
  test('accepts a difference within the tolerance however large the samples', () => {
    expect(sharesAgree([103_000, 1_000_000], [100_000, 1_000_000], 0.05)).toBe(true);
  });

  test('refuses a difference beyond it when the samples are large enough to tell', () => {
    expect(sharesAgree([120_000, 1_000_000], [100_000, 1_000_000], 0.05)).toBe(false);
  });

  test('accepts what a small sample cannot tell apart', () => {
    expect(sharesAgree([12, 100], [10, 100], 0.05)).toBe(true);
    expect(sharesAgree([60, 100], [10, 100], 0.05)).toBe(false);
  });
});
