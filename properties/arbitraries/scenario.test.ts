import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../sim/scenario/parse.js';
import { EVICTION_POLICIES } from '../../sim/redis/keyspace.js';
import { FAULT_KINDS } from '../../sim/scenario/fault-schema.js';
import type { FaultKind, Scenario } from '../../sim/scenario/schema.js';
import { boundsOf } from '../analysis/bounds.js';
import { DRAWN_KINDS } from './faults.js';
import { scenarioArbitrary, type Envelope, type ScenarioShape } from './scenario.js';

const SHAPE = { lock: 'redlock', servers: [1, 3, 5], envelope: 'free' } as const;

function sample(shape: ScenarioShape, runs: number): Scenario[] {
  return fc.sample(scenarioArbitrary(shape), { seed: 7, numRuns: runs }).map((input) => parseScenario(input));
}

describe('generated scenarios', () => {
  it.each(['bounded', 'asynchronous', 'free'] satisfies Envelope[])('can be run: %s', (envelope) => {
    for (const input of fc.sample(scenarioArbitrary({ ...SHAPE, envelope }), { seed: 7, numRuns: 500 }))
      expect(() => parseScenario(input)).not.toThrow();
  });

  it('are plain data', () => {
    for (const input of fc.sample(scenarioArbitrary(SHAPE), { seed: 7, numRuns: 100 }))
      expect(JSON.parse(JSON.stringify(input))).toEqual(input);
  });

  it('have faults of every kind, at times and at moments, on processes and servers', () => {
    const faults = sample(SHAPE, 2000).flatMap((scenario) => scenario.faults);
    const kinds = new Set<FaultKind>(faults.map((fault) => fault.do));
    expect([...kinds].sort()).toEqual([...DRAWN_KINDS].sort());
    // The others are the ends of these.
    const ends = FAULT_KINDS.filter((kind) => !kinds.has(kind));
    expect(ends).toEqual(['restart', 'heal', 'release']);
    const events = new Set(faults.flatMap(({ on }) => (on === undefined ? [] : [on.event])));
    expect(events.size).toBeGreaterThan(8);
    expect(faults.some(({ atMs }) => atMs !== undefined)).toBe(true);
    const crashed = new Set(faults.flatMap((fault) => (fault.do === 'crash' ? [fault.host] : [])));
    expect(crashed).toContain('p1');
    expect(crashed).toContain('redis-1');
  });

  it('draw from the kinds asked for only', () => {
    const scenarios = sample({ ...SHAPE, kinds: ['pause', 'crash'] }, 300);
    const kinds = new Set(scenarios.flatMap(({ faults }) => faults.map((fault) => fault.do)));
    expect([...kinds].sort()).toEqual(['crash', 'pause']);
  });

  it('limit the memory of servers that are filled, and of no others; some are filled beyond it', () => {
    const policies = new Set<string>();
    const beyond = new Set<boolean>();
    for (const { servers, faults } of sample(SHAPE, 2000)) {
      const fills = faults.flatMap((fault) => (fault.do === 'fill' ? [fault.bytes] : []));
      expect(servers.maxMemory > 0).toBe(fills.length > 0);
      if (fills.length > 0) policies.add(servers.maxMemoryPolicy);
      for (const bytes of fills) beyond.add(bytes > servers.maxMemory);
    }
    expect(policies).toEqual(new Set(EVICTION_POLICIES));
    expect(beyond).toEqual(new Set([true, false]));
  });

  it('stop servers in order as well, some for good', () => {
    const stops = sample(SHAPE, 500).flatMap(({ faults }) =>
      faults.filter(({ do: what }) => what === 'shutdown'),
    );
    const back = stops.map((fault) => fault.do === 'shutdown' && fault.restartAfterMs !== undefined);
    expect(new Set(back)).toEqual(new Set([true, false]));
  });

  it('let a lock try as often as it was told to, before an acquire has taken too long', () => {
    for (const scenario of sample(SHAPE, 500)) {
      const { retryCount, retryDelayMs, retryJitterMs } = scenario.lock.options as Record<string, number>;
      const longestUs = retryCount! * (retryDelayMs! + retryJitterMs!) * 1000;
      expect(boundsOf(scenario).settleUs).toBeGreaterThan(longestUs);
    }
  });

  it('shrink to two processes, one server, one round, no faults and the plainest figures', () => {
    const report = fc.check(
      fc.property(scenarioArbitrary(SHAPE), () => false),
      { seed: 3, numRuns: 1 },
    );
    const smallest = parseScenario(report.counterexample![0]);
    expect(smallest.processes).toMatchObject({ count: 2, tasks: 1 });
    expect(smallest.servers.count).toBe(1);
    expect(smallest.faults).toEqual([]);
    expect(smallest.lock.ttlMs).toBe(1000);
    expect(smallest.network.latencyMs).toBe(1);
    expect(smallest.workload).toMatchObject({ rounds: 1, steps: 2, thinkMs: 0, discipline: 'naive' });
  });

  it('keep their seed while they shrink', () => {
    const seen = new Set<number | undefined>();
    fc.check(
      fc.property(scenarioArbitrary(SHAPE), (input) => {
        seen.add(input.seed);
        return false;
      }),
      { seed: 3, numRuns: 1 },
    );
    expect(seen.size).toBe(1);
  });
});

describe('the bounded envelope', () => {
  const scenarios = sample({ ...SHAPE, envelope: 'bounded' }, 1000);

  it('pays rates, pauses and the way to the storage out of one drift allowance', () => {
    for (const { lock, clocks, faults, network } of scenarios) {
      const d = lock.ttlMs * (lock.options['driftFactor'] as number) + 2;
      const { driftBoundPpm: _, ...hosts } = clocks;
      const rates = Object.values(hosts).map((clock) => (clock as { driftPpm: number }).driftPpm);
      const apart = ((Math.max(0, ...rates) - Math.min(0, ...rates)) / 1_000_000) * lock.ttlMs;
      const pauses = faults.flatMap((fault) => (fault.do === 'pause' ? [fault.forMs as number] : []));
      const paused = pauses.reduce((sum, forMs) => sum + forMs, 0);
      const storage = Math.max(...Object.values(network.links).map((link) => link as number));
      expect(apart + paused + storage).toBeLessThan(d);
    }
  });

  it('crashes at most N − m servers, once each, for longer than a ttl', () => {
    for (const { servers, faults, lock } of scenarios) {
      const crashes = faults.filter(
        (fault) => fault.do === 'crash' && fault.host?.startsWith('redis') === true,
      );
      expect(new Set(crashes.map((fault) => 'host' in fault && fault.host)).size).toBe(crashes.length);
      expect(crashes.length).toBeLessThanOrEqual(servers.count - (Math.floor(servers.count / 2) + 1));
      for (const crash of crashes)
        if (crash.do === 'crash' && crash.restartAfterMs !== undefined)
          expect(crash.restartAfterMs).toBeGreaterThan(lock.ttlMs * 1.05);
    }
  });

  it('has no other faults, and yet has some', () => {
    const kinds = new Set(scenarios.flatMap(({ faults }) => faults.map((fault) => fault.do)));
    expect([...kinds].sort()).toEqual(['crash', 'pause']);
  });
});
