import { describe, expect, test } from 'vitest';
import { LOADS, type Tally } from './loads.js';
import { lockpick } from './lockpick.js';
import { careful } from './opponents/careful.js';
import { parityOf } from './parity.js';

function paired(ours: Tally, theirs: Tally) {
  return parityOf({ ratio: 1, ratios: [1], ours, theirs });
}

describe('parity', () => {
  test.each(['redlock', 'redlock@4.2.0'])('%s does the work that the opponents do', async (lock) => {
    const contender = await lockpick(LOADS['5x3'], lock, 'here');
    const ours = await contender.measure(400, 1);
    await contender.finish();
    const theirs = await careful(LOADS['5x3']).measure(400, 1);
    const parity = paired(ours, theirs);
    expect(parity.ok, JSON.stringify(parity)).toBe(true);
    expect(parity.ours.violatingShare).toBeGreaterThan(0.03);
  });

  test('is off where one side does less', async () => {
    const full = await careful(LOADS['5x3']).measure(300, 1);
    const half = { ...full, commands: full.commands / 2, commandsSquared: full.commandsSquared / 4 };
    expect(paired(half, full).ok).toBe(false);
    expect(paired({ ...full, violating: 0 }, full).ok).toBe(false);
  });
});
