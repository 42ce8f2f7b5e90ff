import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { digest } from '../../../sim/history/digest.js';
import { loadLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';
import { packageRoot, resolveLock } from '../../../src/resolve.js';
import { judge } from '../../judge.js';
import { findingsOf, type Finding } from './findings.js';
import { Hunt, mergeRanges, type HuntRange, type RawFinding } from './hunt.js';
import { HuntRefused, kindsOf, type HuntSpec } from './spec.js';

const SPEC: HuntSpec = {
  lock: 'pitfall/del-without-check',
  seed: 1,
  assume: 'everything',
  kinds: null,
  properties: null,
  sets: [],
  reuse: true,
};

async function hunt(spec: Partial<HuntSpec> = {}): Promise<Hunt> {
  const whole = { ...SPEC, ...spec };
  return new Hunt(whole, await loadLock(resolveLock(whole.lock)));
}

async function keysOf(lock: string, input: ScenarioInput): Promise<string[]> {
  const history = await simulate(parseScenario(input), await loadLock(resolveLock(lock)));
  return findingsOf(history, judge(history).verdicts, 0, null).map(({ key }) => key);
}

describe('a range of runs', () => {
  it('is the same however it is cut, in whichever order its parts are merged', async () => {
    const whole = await (await hunt()).range(0, 70);
    expect(whole.findings.length).toBeGreaterThan(0);
    const cut = await hunt();
    const parts: HuntRange[] = [];
    for (let from = 0; from < 70; from += 7) parts.push(await cut.range(from, from + 7));
    expect(parts.reduce((a, b) => mergeRanges(a, b))).toEqual(whole);
    expect(parts.reduceRight((a, b) => mergeRanges(a, b))).toEqual(whole);
    const ones: HuntRange[] = [];
    for (let run = 69; run >= 0; run--) ones.push(await cut.range(run, run + 1));
    expect(ones.reduce((a, b) => mergeRanges(b, a))).toEqual(whole);
  });

  it('does not depend on instances that are kept, and is plain data', async () => {
    const kept = await (await hunt()).range(0, 20);
    const fresh = await (await hunt({ reuse: false })).range(0, 20);
    expect(fresh).toEqual(kept);
    expect(JSON.parse(JSON.stringify(kept))).toEqual(kept);
  });

  it('rejects when a kept instance behaves otherwise than a fresh one', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'lockpick-')), 'counts.mjs');
    const contract = path.join(packageRoot(), 'src', 'contract.ts');
    writeFileSync(
      file,
      `import { defineLock } from ${JSON.stringify(contract)};
       let asked = 0;
       export default defineLock({ name: 'counts', servers: 1, connect: ({ clients: [redis] }) => ({
         async acquire(resource, { ttlMs }) {
           await redis.set(resource, String(asked++), 'PX', ttlMs);
           return { release: async () => {} };
         } }) });`,
    );
    await expect((await hunt({ lock: file })).range(0, 64)).rejects.toMatchObject({ name: 'ReuseMismatch' });
    await expect((await hunt({ lock: file, reuse: false })).range(60, 64)).resolves.toMatchObject({
      runs: 4,
    });
  });
});

describe('a finding made small', () => {
  const lock = 'pitfall/wall-clock-validity';
  let subject: Hunt;
  let raw: RawFinding;
  let found: Finding;

  beforeAll(async () => {
    subject = await hunt({ lock, assume: 'clocks' });
    const { findings } = await subject.range(0, 60);
    raw = findings.find(({ property, blame }) => property === 'loss-signalled' && blame === 'library')!;
    found = (await subject.minimise(raw))!;
  });

  it('shows the same property, blame and cause, from a fresh start, byte for byte', async () => {
    expect(found).toMatchObject({ key: raw.key, run: raw.run, blame: 'library' });
    const scenario = parseScenario(found.scenario);
    expect(digest(await simulate(scenario, await loadLock(resolveLock(lock))))).toBe(found.digest);
    expect(found.verdicts['loss-signalled']).toBe('violated/library');
  });

  it('needs every fault that is left', async () => {
    const faults = found.scenario.faults!;
    expect(faults).toHaveLength(found.faults);
    expect(found.faults).toBeGreaterThan(0);
    for (const fault of faults) {
      const fewer = { ...found.scenario, faults: faults.filter((other) => other !== fault) };
      expect(await keysOf(lock, fewer)).not.toContain(raw.key);
    }
  });

  it('is no larger than it was drawn, has the same seed, and leaves nothing to chance', async () => {
    const drawn = parseScenario(await subject.scenarioOf(raw.run));
    const small = parseScenario(found.scenario);
    expect(small.seed).toBe(drawn.seed);
    expect(small.faults.length).toBeLessThanOrEqual(drawn.faults.length);
    expect(small.processes.count).toBeLessThanOrEqual(drawn.processes.count);
    expect(small.workload.rounds).toBeLessThanOrEqual(drawn.workload.rounds);
    expect(small.faults.every(({ on }) => on === undefined || on.chance === 1)).toBe(true);
  });

  it('is nothing where the run does not show it', async () => {
    expect(await subject.minimise({ ...raw, key: 'permits library work', property: 'permits' })).toBeNull();
  });
});

describe('what is drawn', () => {
  it('is of the kinds that the preset has', async () => {
    for (const assume of ['calm', 'pauses', 'clocks', 'crashes', 'partitions'] as const) {
      const subject = await hunt({ lock: 'single', assume });
      const kinds = new Set<string>();
      for (let run = 0; run < 60; run++)
        for (const fault of (await subject.scenarioOf(run)).faults!) kinds.add(fault.do);
      expect([...kinds].sort()).toEqual([...kindsOf(assume)].sort());
    }
  });

  it('fits the lock: tokens are compared, a semaphore has permits, clusters and Sentinels come up', async () => {
    const scenariosOf = async (lock: string, assume: HuntSpec['assume']): Promise<ScenarioInput[]> => {
      const subject = await hunt({ lock, assume });
      return Promise.all(Array.from({ length: 40 }, (_, run) => subject.scenarioOf(run)));
    };
    const fenced = await scenariosOf('single-fenced', 'pauses');
    expect(fenced.every(({ resource }) => resource?.fenced === true)).toBe(true);
    const semaphore = await scenariosOf('semaphore', 'pauses');
    expect(new Set(semaphore.map(({ lock }) => lock?.permits))).toEqual(new Set([1, 2, 3]));
    const failing = await scenariosOf('single', 'failover');
    expect(failing.some(({ servers }) => servers?.sentinels !== undefined)).toBe(true);
    expect(failing.some(({ servers }) => servers?.cluster !== undefined)).toBe(true);
    const renewing = await scenariosOf('redis-semaphore@5.8.0', 'pauses');
    expect(new Set(renewing.map(({ lock }) => lock?.options?.['watchdog']))).toEqual(
      new Set([undefined, false]),
    );
  });

  it('goes by real clients where a library takes no others', async () => {
    const subject = await hunt({ lock: 'redis-semaphore@5.5.1', assume: 'calm' });
    expect((await subject.scenarioOf(0)).processes).toMatchObject({ transport: 'wire' });
    const { coverage } = await subject.range(0, 2);
    expect(coverage.acquisitions).toBeGreaterThan(0);
  });

  it('takes settings', async () => {
    const sets = [{ path: 'lock.ttlMs', value: 700 }];
    const subject = await hunt({ sets, assume: 'pauses' });
    const { findings } = await subject.range(0, 30);
    const found = await subject.minimise(findings[0]!);
    expect(parseScenario(found!.scenario).lock.ttlMs).toBe(700);
  });

  it('refuses those that a scenario does not take, and names its run', async () => {
    const subject = await hunt({ sets: [{ path: 'servers.maxMemory', value: 0 }] });
    let run = 0;
    while ((await subject.scenarioOf(run)).servers?.maxMemoryPolicy?.startsWith('volatile') !== true) run++;
    const refused = subject.range(run, run + 1);
    await expect(refused).rejects.toThrow(HuntRefused);
    await expect(refused).rejects.toThrow(
      new RegExp(`nothing is evicted without a limit.*\\n--set: so it is in run ${run}, `),
    );
  });
});

describe('what could never be shown is refused', () => {
  it.each<[string, Partial<HuntSpec>, RegExp]>([
    ['permits of a mutex', { properties: ['permits'] }, /cannot show permits: it is a plain mutex/],
    ['tokens of a lock without', { properties: ['fencing-order'] }, /its grants carry no fencing token/],
    [
      'an empty envelope',
      { assume: 'pauses', kinds: ['crash'] },
      /--assume pauses has faults of these kinds: pause/,
    ],
    ['a schedule of its own', { sets: [{ path: 'faults', value: [] }] }, /--set faults leaves nothing/],
  ])('%s', async (_, spec, message) => {
    const refused = (await hunt(spec)).ready();
    await expect(refused).rejects.toThrow(HuntRefused);
    await expect(refused).rejects.toThrow(message);
  });
});
