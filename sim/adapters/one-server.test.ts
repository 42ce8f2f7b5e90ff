/** Adapters of libraries for one server, used as their own documents say, on a simulated server at 5 ms from everybody. */
import { describe, expect, it } from 'vitest';
import { digest } from '../history/digest.js';
import type { History } from '../history/events.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { eventsOf, simulated, timesOf } from '../testing/simulated.js';

interface Library {
  readonly name: string;
  /** The key that it makes of the resource `a`. */
  readonly key: string;
  /** The client package on the wire. */
  readonly clientPackage: string;
  /** Renews when it is told to, once it was asked for with `retryCount: 0`. */
  readonly extends: boolean;
  /** It asks until it has the lock, whatever it is told. */
  readonly asksForEver?: true;
  /** The errors of an extension and of a release when the key is gone; left out: none. */
  readonly extensionFails?: string;
  readonly releaseFails?: string;
  readonly fences?: true;
}

const LIBRARIES: readonly Library[] = [
  {
    name: '@microfleet/ioredis-lock@6.0.1',
    key: 'a',
    clientPackage: 'ioredis',
    extends: true,
    extensionFails: 'LockExtendError',
    releaseFails: 'LockReleaseError',
  },
  {
    name: 'ioredis-lock@4.0.0',
    key: 'a',
    clientPackage: 'ioredis',
    extends: true,
    extensionFails: 'LockExtendError',
    releaseFails: 'LockReleaseError',
  },
  {
    name: 'redislock@1.3.0',
    key: 'a',
    clientPackage: 'ioredis',
    extends: true,
    extensionFails: 'LockExtendError',
    releaseFails: 'LockReleaseError',
  },
  {
    name: 'node-redis-warlock@1.0.2',
    key: 'a:lock',
    clientPackage: 'ioredis',
    extends: true,
    extensionFails: 'LockLost',
  },
  { name: 'redis-lock@1.0.0', key: 'lock.a', clientPackage: 'redis@4', extends: false, asksForEver: true },
  {
    name: 'simple-redis-mutex@3.0.0',
    key: '@simple-redis-mutex:lock-a',
    clientPackage: 'redis',
    extends: true,
    fences: true,
  },
];

const TRANSPORTS = ['direct', 'wire'] as const;
const CASES = LIBRARIES.flatMap((library) => TRANSPORTS.map((transport) => ({ ...library, transport })));

const ok = ({ phase }: { phase: string }) => phase === 'ok';
const failed = ({ phase }: { phase: string }) => phase === 'fail';
const invoked = ({ phase }: { phase: string }) => phase === 'invoke';
const quietly = (history: History): void => expect(eventsOf(history, 'trouble')).toEqual([]);

describe.each(CASES)('$name, $transport', (library) => {
  const { name, key, clientPackage, transport } = library;
  const on = transport === 'wire' ? { transport, clientPackage } : {};
  const played = (scenario: Partial<ScenarioInput>): Promise<History> =>
    simulated({ ...scenario, processes: { count: 1, ...scenario.processes, ...on } }, name);

  it('sets its key for the ttl, claims no end, and deletes the key at the release', async () => {
    const history = await played({ workload: { workMs: 100, steps: 0 } });
    expect(eventsOf(history, 'acquire', ok)).toMatchObject([
      { claim: null, fence: library.fences ? 1 : null, signals: false, renews: false, votes: ['redis-1'] },
    ]);
    const effects = eventsOf(history, 'key', (event) => event.key === key);
    expect(effects.map(({ effect }) => effect)).toEqual(['set', 'deleted']);
    const { deadlineMs } = effects[0]!;
    expect(deadlineMs! - Date.UTC(2026, 0, 1) - Math.floor(effects[0]!.tUs / 1000)).toBe(1000);
    expect(eventsOf(history, 'release', ok)).toHaveLength(1);
    quietly(history);
  });

  it('asked once, says that others have it; redis-lock asks for ever', async () => {
    const history = await played({
      processes: { count: 2 },
      workload: { workMs: 500, steps: 0 },
      lock: { options: { retryCount: 0 } },
      overrides: { p2: { workload: { startMs: 100 } } },
    });
    const failures = eventsOf(history, 'acquire', failed);
    if (library.asksForEver) expect(failures).toEqual([]);
    else expect(failures).toMatchObject([{ host: 'p2', error: { name: 'NotAcquired' } }]);
    quietly(history);
  });

  it('asked again and again, takes turns', async () => {
    const history = await played({
      processes: { count: 3 },
      workload: { workMs: 300, steps: 0 },
      lock: { options: { retryCount: 100, retryDelayMs: 50 } },
      network: { latencyMs: [1, 9] },
    });
    const spans = ['p1', 'p2', 'p3'].map((host) => {
      const [from] = timesOf(history, 'acquire', (event) => ok(event) && event.host === host);
      const [to] = timesOf(history, 'release', (event) => invoked(event) && event.host === host);
      return [from!, to!] as const;
    });
    spans.sort(([a], [b]) => a - b);
    for (const at of [1, 2]) expect(spans[at]![0]).toBeGreaterThan(spans[at - 1]![1]);
    if (library.fences)
      expect(eventsOf(history, 'acquire', ok).map((event) => 'fence' in event && event.fence)).toEqual([
        1, 2, 3,
      ]);
    quietly(history);
  });

  it('gives up when it was withdrawn, and gives back what it got after that', async () => {
    const history = await played({
      processes: { count: 2 },
      workload: { workMs: 300, steps: 0 },
      lock: { options: { retryCount: 20, retryDelayMs: 50 } },
      overrides: { p2: { workload: { startMs: 50, withdrawAfterMs: 100 } } },
    });
    expect(eventsOf(history, 'acquire', (event) => ok(event) && event.host === 'p2')).toEqual([]);
    const keys = eventsOf(history, 'key', (event) => event.key === key);
    expect(keys.at(-1)!.effect).toBe('deleted');
    quietly(history);
  });

  it.runIf(library.extends)('renews when it is told to', async () => {
    const history = await played({
      workload: { workMs: 1500, steps: 0, extend: { atFraction: 0.5, max: 5 } },
      lock: { options: { retryCount: 0 } },
    });
    expect(eventsOf(history, 'extend', ok)).toHaveLength(eventsOf(history, 'extend', invoked).length);
    expect(eventsOf(history, 'key', (event) => event.key === key && event.effect === 'expired')).toEqual([]);
    quietly(history);
  });

  it('says of a lost key what the library says, and nothing else', async () => {
    const history = await played({
      workload: { workMs: 1500, steps: 0, extend: { atFraction: 0.7, max: 1 } },
      lock: { options: { retryCount: 0 } },
      faults: [{ atMs: 500, do: 'crash', host: 'redis-1', restartAfterMs: 50 }],
    });
    const errorsOf = (kind: 'extend' | 'release') =>
      eventsOf(history, kind, failed).map((event) => 'error' in event && event.error.name);
    const { extensionFails, releaseFails } = library;
    expect(errorsOf('extend')).toEqual(extensionFails === undefined ? [] : [extensionFails]);
    expect(errorsOf('release')).toEqual(releaseFails === undefined ? [] : [releaseFails]);
    expect(eventsOf(history, 'lost')).toEqual([]);
    quietly(history);
  });

  it('does not renew by itself, and says so', async () => {
    const history = await played({ lock: { options: { watchdog: true } } });
    expect(eventsOf(history, 'acquire', failed)).toMatchObject([{ error: { name: 'RangeError' } }]);
    quietly(history);
  });

  it('the same seed gives the same run', async () => {
    const scenario = {
      processes: { count: 2, tasks: 2 },
      workload: { workMs: 20, steps: 0, resources: ['a', 'b'], rounds: 2 },
      lock: { options: { retryCount: 100, retryDelayMs: 20 } },
    };
    const [once, again] = [await played(scenario), await played(scenario)];
    expect(digest(again)).toBe(digest(once));
    expect(eventsOf(once, 'acquire', ok)).toHaveLength(8);
    quietly(once);
  });
});
