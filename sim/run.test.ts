import { describe, expect, it } from 'vitest';
import { resolveLock } from '../src/resolve.js';
import { findScenario } from './catalogue/index.js';
import { digest } from './history/digest.js';
import { loadLock } from './load.js';
import { simulate } from './run.js';
import { parseScenario } from './scenario/parse.js';

describe('a run whose steps settle by turns of the event loop', () => {
  it.each([
    ['S1', 'single'],
    ['R1', 'redlock'],
    ['E1', 'redlock'],
    ['C5', 'redlock-fenced'],
    ['C3', 'redlock@4.2.0'],
  ])('%s on %s: the same history as with the synchronous drain', async (id, name) => {
    const entry = findScenario(id)!;
    const scenario = parseScenario({ ...entry.scenario, lock: { ...entry.scenario.lock, name } });
    const lock = await loadLock(resolveLock(name));
    const byTurns = await simulate(scenario, lock, { byTurns: true });
    expect(byTurns.events.length).toBeGreaterThan(20);
    expect(digest(byTurns)).toBe(digest(await simulate(scenario, lock)));
  });
});
