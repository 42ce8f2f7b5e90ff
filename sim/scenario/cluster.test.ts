import { describe, expect, it } from 'vitest';
import { parseScenario } from './parse.js';
import type { ScenarioInput } from './schema.js';

function scenario(given: Partial<ScenarioInput>): () => unknown {
  return () => parseScenario({ id: 'test', ...given });
}

const cluster = { nodeTimeoutMs: 1000 };

describe('a scenario with a cluster', () => {
  it('has at least three masters', () => {
    expect(scenario({ servers: { count: 3, cluster } })).not.toThrow();
    expect(scenario({ servers: { count: 2, cluster } })).toThrow(
      /servers\.count: a cluster has at least 3 masters/,
    );
  });

  it('has no Sentinels', () => {
    expect(scenario({ servers: { count: 3, replicas: 1, cluster, sentinels: {} } })).toThrow(
      /servers\.sentinels: the nodes of a cluster watch each other/,
    );
  });

  it('is not played by ioredis-mock', () => {
    expect(scenario({ servers: { count: 3, engine: 'ioredis-mock', cluster } })).toThrow(/servers\.cluster/);
  });

  it('has no client that reads from replicas', () => {
    expect(
      scenario({ servers: { count: 3, cluster }, processes: { client: { readFromReplica: true } } }),
    ).toThrow(/processes\.client\.readFromReplica: the client of a cluster reads from masters/);
    expect(
      scenario({ servers: { count: 3, cluster }, overrides: { p2: { client: { readFromReplica: true } } } }),
    ).toThrow(/overrides\.p2\.client\.readFromReplica/);
  });

  it('takes the defaults of Redis for the rest', () => {
    const { servers } = parseScenario({ id: 'test', servers: { count: 3, cluster: {} } });
    expect(servers.cluster).toEqual({
      nodeTimeoutMs: 15_000,
      replicaValidityFactor: 10,
      requireFullCoverage: true,
    });
  });
});
