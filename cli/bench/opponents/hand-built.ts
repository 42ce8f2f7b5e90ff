/** The opponent that is built from what npm offers: ioredis-mock behind the property test. */
import RedisMock from 'ioredis-mock';
import type { Contender, Load } from '../loads.js';
import { measurePropertyTest, type ServerSet } from './property-test.js';
import type { ScriptClient } from './redlock4.js';

/** ioredis-mock keeps its data per host and port: five ports are five servers. */
function mockServers(count: number): ServerSet {
  const mocks = Array.from({ length: count }, (_, index) => {
    return new RedisMock({ host: `redis-${index + 1}`, port: 6379, lazyConnect: true });
  });
  return {
    servers: mocks as unknown as ScriptClient[],
    dispose() {
      for (const mock of mocks) {
        void mock.flushall();
        mock.disconnect();
      }
    },
  };
}

export function handBuilt(load: Load): Contender {
  return {
    name: 'handBuilt',
    measure: (runs, seed) => measurePropertyTest(load, mockServers, runs, seed),
  };
}
