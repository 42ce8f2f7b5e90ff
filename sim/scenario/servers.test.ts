import { describe, expect, it } from 'vitest';
import { parseScenario } from './parse.js';
import type { ScenarioInput } from './schema.js';

const parse = (servers: ScenarioInput['servers']) => () => parseScenario({ id: 'test', servers });

describe('servers', () => {
  it.each([
    [{ minReplicasToWrite: 1 }, /minReplicasToWrite: 1 good replicas are wanted .* servers\.replicas is 0/],
    [{ replicas: 1, sentinels: { count: 3, quorum: 4 } }, /sentinels\.quorum: 4 of 3 Sentinels never agree/],
    [{ sentinels: {} }, /sentinels: there is no replica/],
    [{ loadMs: 5 }, /loadMs: there is nothing to load/],
    [{ maxMemoryPolicy: 'allkeys-lru' }, /maxMemoryPolicy: nothing is evicted without a limit/],
  ] as const)('refuse %j', (servers, message) => {
    expect(parse(servers)).toThrow(message);
  });

  it.each([
    { replicas: 2, minReplicasToWrite: 2 },
    { replicas: 1, sentinels: { count: 3, quorum: 3 } },
    { persistence: 'rdb', loadMs: 5 },
    { maxMemory: 1000, maxMemoryPolicy: 'allkeys-lru' },
  ] as const)('take %j', (servers) => {
    expect(parse(servers)).not.toThrow();
  });
});
