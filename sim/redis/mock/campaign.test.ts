import { expect, it } from 'vitest';
import { resolveLock } from '../../../src/resolve.js';
import { Campaign } from '../../campaign.js';
import type { History } from '../../history/events.js';
import { loadLock } from '../../load.js';
import { eventsText } from '../../reuse/verifier.js';
import { simulate } from '../../run.js';
import { parseScenario, ScenarioError } from '../../scenario/parse.js';

const servers = { engine: 'ioredis-mock' } as const;

it('copies of the library that are kept from run to run behave as new ones', async () => {
  const scenario = parseScenario({ id: 'kept', servers, workload: { rounds: 2 } });
  const lock = await loadLock(resolveLock('single'));
  const campaign = new Campaign(scenario, lock);
  const histories: History[] = [];
  // The 64th run is repeated with a new copy by the campaign itself.
  await campaign.runAll(Array(66).keys(), (history) => histories.push(history));
  await campaign.finish();
  for (const seed of [1, 65]) {
    expect(eventsText(histories[seed]!)).toBe(eventsText(await simulate({ ...scenario, seed }, lock)));
  }
});

it('a server that crashes forgets its keys and scripts and comes back', async () => {
  const scenario = parseScenario({
    id: 'crash',
    servers,
    faults: [{ on: { event: 'granted', nth: 1 }, do: 'crash', host: 'redis-1', restartAfterMs: 1 }],
  });
  const { events } = await simulate(scenario, await loadLock(resolveLock('single')));
  const life = events.flatMap((event) => (event.kind === 'key' || event.kind === 'restart' ? [event] : []));
  expect(life.map((event) => (event.kind === 'key' ? event.effect : event.kind)).slice(0, 4)).toEqual([
    'set',
    'restart',
    'lost',
    'set',
  ]);
});

it('the clock is the server’s own', async () => {
  const scenario = parseScenario({
    id: 'clock',
    servers,
    processes: { count: 1 },
    clocks: { 'redis-1': { offsetMs: 5000 } },
    workload: { workMs: 500 },
    faults: [{ on: { event: 'granted' }, do: 'step-clock', host: 'redis-1', byMs: 990 }],
  });
  const { events } = await simulate(scenario, await loadLock(resolveLock('single')));
  const keys = events.flatMap((event) => (event.kind === 'key' ? [event] : []));
  const [set, expired] = keys;
  expect(set!.deadlineMs! - Date.UTC(2026, 0, 1)).toBeGreaterThan(5990);
  expect(expired!.effect).toBe('expired');
  expect(expired!.tUs).toBeLessThan(15_000);
});

it('where the event loop must turn between steps it is refused', async () => {
  const scenario = parseScenario({ id: 'turns', servers });
  const run = simulate(scenario, await loadLock(resolveLock('single')), { byTurns: true });
  await expect(run).rejects.toThrow('the engine ioredis-mock needs the synchronous drain of Node');
});

it.each([
  ['replicas', { replicas: 1 }],
  ['persistence', { persistence: 'rdb' }],
  ['version', { version: '8.4' }],
  ['scripts', { scripts: ['return 1'] }],
] as const)('servers.%s is refused', (name, more) => {
  const parse = (): unknown => parseScenario({ id: 'refused', servers: { ...servers, ...more } });
  expect(parse).toThrow(ScenarioError);
  expect(parse).toThrow(`servers.${name}: the engine ioredis-mock is one master in memory`);
});
