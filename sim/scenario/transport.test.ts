import { describe, expect, it } from 'vitest';
import { parseScenario } from './parse.js';
import type { ScenarioInput } from './schema.js';

const parse = (scenario: Partial<ScenarioInput>) => () => parseScenario({ id: 'test', ...scenario });

describe('transport', () => {
  it('is direct unless the scenario says otherwise', () => {
    expect(parse({})().processes).toMatchObject({ transport: 'direct', clientPackage: 'ioredis' });
    expect(parse({ processes: { transport: 'wire', clientPackage: 'redis@4' } })).not.toThrow();
  });

  it.each<[Partial<ScenarioInput>, string]>([
    [{ network: { cut: 0.1 } }, 'scenario: network.cut: takes effect on the wire only'],
    [
      { processes: { clientPackage: 'redis' } },
      'scenario: processes.clientPackage: takes effect on the wire only',
    ],
    [
      { processes: { transport: 'wire', clientPackage: 'bluebird' } },
      'a client package is written ioredis, redis or ioredis@6',
    ],
    [
      { processes: { transport: 'wire', client: { readFromReplica: true } } },
      'scenario: processes.client.readFromReplica: real clients that read from replicas are not made',
    ],
    [
      { processes: { transport: 'wire' }, overrides: { p2: { client: { reconnectOnTimeout: true } } } },
      'scenario: overrides.p2.client.reconnectOnTimeout: no real client does so',
    ],
    [
      { processes: { transport: 'wire', clientPackage: 'redis', client: { maxRetriesPerRequest: 3 } } },
      'scenario: processes.client.maxRetriesPerRequest: redis has no such option',
    ],
    [
      { processes: { transport: 'wire', clientPackage: 'redis@4', client: { commandTimeoutMs: 9 } } },
      'scenario: processes.client.commandTimeoutMs: redis@4 has no such option',
    ],
    [
      { processes: { transport: 'wire', clientPackage: 'redis@4' }, servers: { sentinels: {} } },
      'scenario: processes.clientPackage: redis@4 does not ask Sentinels',
    ],
  ])('%j is refused', (scenario, message) => {
    expect(parse(scenario)).toThrow(message);
  });
});
