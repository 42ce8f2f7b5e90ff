/**
 * Instances of a lock module are kept from run to run. Whatever happened in the runs before, pauses, crashes, runs cut off,
 * a kept instance must behave as a fresh one, byte for byte.
 */
import { test } from '@fast-check/vitest';
import { beforeAll, describe, expect } from 'vitest';
import { digest } from '../../sim/history/digest.js';
import { loadLock, type LoadedLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { resolveLock } from '../../src/resolve.js';
import { scenarioArbitrary } from '../arbitraries/scenario.js';
import { Subject } from './generated.js';

describe.each(['redlock', 'redlock@4.2.0', 'single-fenced'])('%s', (lock) => {
  let reused: Subject;
  let loaded: LoadedLock;

  beforeAll(async () => {
    reused = await Subject.load(lock);
    loaded = await loadLock(resolveLock(lock));
  });

  const servers = lock === 'single-fenced' ? [1] : [3, 1];
  test.prop([scenarioArbitrary({ lock, servers, envelope: 'free' })], { seed: 64, numRuns: 100 })(
    'gives the same history from a kept instance as from a fresh one',
    async (scenario) => {
      const kept = digest(await reused.simulate(scenario));
      expect(kept).toBe(digest(await simulate(parseScenario(scenario), loaded)));
    },
  );
});
