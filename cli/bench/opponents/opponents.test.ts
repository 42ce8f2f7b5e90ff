import { describe, expect, test } from 'vitest';
import { LOADS } from '../loads.js';
import { careful } from './careful.js';
import { handBuilt } from './hand-built.js';

describe('opponents', () => {
  test('careful does the load as described: about 70 commands a run, a tenth of the runs violating', async () => {
    const { commands, violating, runs } = await careful(LOADS['5x3']).measure(1000, 1);
    expect(commands / runs).toBeGreaterThan(66);
    expect(commands / runs).toBeLessThan(76);
    expect(violating / runs).toBeGreaterThan(0.07);
    expect(violating / runs).toBeLessThan(0.13);
  });

  test('the same seed gives the same runs', async () => {
    const first = await careful(LOADS['1x2']).measure(300, 7);
    const second = await careful(LOADS['1x2']).measure(300, 7);
    expect(second).toMatchObject({ commands: first.commands, violating: first.violating });
    const other = await careful(LOADS['1x2']).measure(300, 8);
    expect(other.commands).not.toBe(first.commands);
  });

  test('handBuilt does the same work: ioredis-mock answers as the hand-ported scripts do', async () => {
    const mock = await handBuilt(LOADS['1x2']).measure(300, 7);
    const ported = await careful(LOADS['1x2']).measure(300, 7);
    expect(mock.violating).toBeGreaterThan(0);
    // Same plans; only the delays differ, since the mock begins without scripts.
    expect(Math.abs(mock.violating - ported.violating)).toBeLessThanOrEqual(3);
    expect(mock.commands / ported.commands).toBeGreaterThan(0.93);
    expect(mock.commands / ported.commands).toBeLessThan(1.07);
  });

  test('runs put the real clock and random source back', async () => {
    const { Date: date, setTimeout: timer } = globalThis;
    const { random } = Math;
    await careful(LOADS['1x2']).measure(5, 1);
    expect(Date).toBe(date);
    expect(setTimeout).toBe(timer);
    expect(Math.random).toBe(random);
  });
});
