import { describe, expect, it } from 'vitest';
import { Streams, uniformInt } from './random.js';

function draws(seed: number, owner: string, purpose: string, count: number): number[] {
  const stream = new Streams(seed).open(owner, purpose);
  return Array.from({ length: count }, () => stream.uint32());
}

describe('a named stream', () => {
  it('depends on seed, owner, purpose and ordinal alone', () => {
    const streams = new Streams(7);
    const first = streams.open('p1', 'math');
    streams.open('p2', 'math').uint32();
    expect([first.uint32(), first.uint32()]).toEqual(draws(7, 'p1', 'math', 2));
  });

  it('differs from its neighbours in seed, owner and purpose', () => {
    const all = [draws(7, 'p1', 'math', 8), draws(8, 'p1', 'math', 8), draws(7, 'p2', 'math', 8)];
    all.push(draws(7, 'p1', 'crypto', 8), draws(7 + 2 ** 32, 'p1', 'math', 8));
    expect(new Set(all.flat()).size).toBe(40);
  });

  it('is uniform: each of 16 classes gets its share over ordinals, seeds and names', () => {
    const byOrdinal = draws(1, 'p1', 'math', 16_000);
    const bySeed = Array.from({ length: 16_000 }, (_, seed) => draws(seed, 'p1', 'math', 1)[0]!);
    const byName = Array.from({ length: 16_000 }, (_, host) => draws(1, `p${host}`, 'math', 1)[0]!);
    for (const values of [byOrdinal, bySeed, byName]) {
      for (const shift of [28, 12, 0]) {
        const classes = Array.from({ length: 16 }, () => 0);
        for (const value of values) classes[(value >>> shift) & 15]!++;
        // Chi-square with 15 degrees of freedom: above 45 once in 13,000 times.
        const chi = classes.reduce((sum, seen) => sum + (seen - 1000) ** 2 / 1000, 0);
        expect(chi).toBeLessThan(45);
      }
    }
  });

  it('has draws that do not follow from one another, nor from those of the next seed', () => {
    const correlation = (xs: number[], ys: number[]): number => {
      const mean = 2 ** 31;
      const sum = xs.reduce((total, x, i) => total + ((x - mean) / mean) * ((ys[i]! - mean) / mean), 0);
      return (3 * sum) / xs.length;
    };
    const values = draws(3, 'p1', 'math', 10_001);
    expect(Math.abs(correlation(values.slice(0, -1), values.slice(1)))).toBeLessThan(0.04);
    expect(Math.abs(correlation(values, draws(4, 'p1', 'math', 10_001)))).toBeLessThan(0.04);
  });

  it('gives whole numbers within both ends, and draws nothing where there is no choice', () => {
    const stream = new Streams(1).open('p1', 'work');
    const seen = new Set(Array.from({ length: 200 }, () => uniformInt(stream, 3, 5)));
    expect([...seen].sort((a, b) => a - b)).toEqual([3, 4, 5]);
    const untouched = new Streams(1).open('p1', 'work');
    uniformInt(untouched, 4, 4);
    expect(untouched.uint32()).toBe(draws(1, 'p1', 'work', 1)[0]);
  });
});
