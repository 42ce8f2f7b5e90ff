import { fc, test as prop } from '@fast-check/vitest';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCounterexample } from '../../sim/history/file.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { anyScenario, runScenario } from './index.js';

let out: string;
beforeAll(() => {
  out = mkdtempSync(path.join(tmpdir(), 'lockpick-any-'));
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('anyScenario', () => {
  prop.prop([anyScenario({ lock: 'single', assume: 'pauses' })], { seed: 1, numRuns: 20 })(
    'a sound lock is never to blame',
    async (scenario) => {
      const history = await runScenario(scenario);
      expect(history).toHold(['mutual-exclusion', 'own-key-only'], {
        failOn: 'library',
        orUnknown: true,
        out,
      });
    },
  );

  test('a broken one is: the counterexample is small, readable and the one in the file', async () => {
    const property = fc.asyncProperty(
      anyScenario({ lock: 'pitfall/del-without-check' }),
      async (scenario) => {
        expect(await runScenario(scenario)).toHold('own-key-only', {
          failOn: 'library',
          orUnknown: true,
          out,
        });
      },
    );
    const { counterexample, failed, numShrinks } = await fc.check(property, { seed: 1, numRuns: 100 });
    expect(failed).toBe(true);
    expect(numShrinks).toBeGreaterThan(2);
    const [scenario] = counterexample!;
    expect(scenario.faults!.length).toBeLessThanOrEqual(2);
    expect(fc.stringify(scenario)).toMatch(
      /lock pitfall\/del-without-check · seed \d+ · 1 server · 2 processes( of 2 tasks)? · ttl \d+ ms/,
    );
    const files = readdirSync(out).filter((name) => name.endsWith('.counterexample.json'));
    expect(files).toHaveLength(1);
    expect(files[0]).toMatch(/a-broken-one-is-the-counterexample-is-small/);
    const kept = readCounterexample(path.join(out, files[0]!));
    expect(kept.scenario).toEqual(parseScenario(scenario));
  });

  test('draws what it is asked for', () => {
    const sample = (options: Partial<Parameters<typeof anyScenario>[0]>) =>
      fc.sample(anyScenario({ lock: 'redlock', ...options }), { seed: 3, numRuns: 60 }).map((input) => {
        const { faults, servers, resource } = parseScenario(input);
        return { faults: new Set(faults.map(({ do: what }) => what)), servers: servers.count, resource };
      });
    expect(new Set(sample({}).map(({ servers }) => servers))).toEqual(new Set([3, 5]));
    expect(new Set(sample({ servers: 7 }).map(({ servers }) => servers))).toEqual(new Set([7]));
    expect(sample({ assume: 'calm' }).every(({ faults }) => faults.size === 0)).toBe(true);
    const some = sample({ faults: ['pause', 'crash'] }).flatMap(({ faults }) => [...faults]);
    expect(new Set(some)).toEqual(new Set(['pause', 'crash']));
    expect(sample({ fenced: true }).every(({ resource }) => resource.fenced)).toBe(true);
  });

  test('says the same in words as in data', () => {
    const text = fc.stringify(
      fc.sample(anyScenario({ lock: 'redlock', assume: 'partitions' }), { seed: 9, numRuns: 40 }),
    );
    expect(text).toMatch(/▼ partition p\d → redis-\d/);
    expect(text).toMatch(/, (at \d+ ms|(at|\d+ ms after) '[\w-]+' of p\d)/);
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('[object');
  });

  test('refuses what it does not know', () => {
    expect(() => anyScenario({ lock: 'singel' })).toThrow('did you mean single?');
    expect(() => anyScenario({ lock: 'single', assume: 'pause' as 'pauses' })).toThrow(
      'did you mean pauses?',
    );
    expect(() => anyScenario({ lock: 'single', faults: ['pauze' as 'pause'] })).toThrow(
      'did you mean pause?',
    );
    expect(() => anyScenario({ lock: 'single', assume: 'clocks', faults: ['pause'] })).toThrow(
      'nothing is left to hunt with',
    );
  });
});
