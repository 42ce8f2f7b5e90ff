/**
 * The adapters of npm libraries beside what the libraries say of themselves, on simulated servers: one server at 5 ms from everybody,
 * a ttl of one second.
 */
import { describe, expect, it } from 'vitest';
import { digest } from '../history/digest.js';
import type { History } from '../history/events.js';
import type { ScenarioInput } from '../scenario/schema.js';
import { eventsOf, simulated, timesOf } from '../testing/simulated.js';

interface Library {
  readonly name: string;
  /** The key that it makes of the resource `a`. */
  readonly key: string;
  /** The claimed end, in ms after the asking; left out: none is claimed. */
  readonly claims?: number;
  /** `by hand`: grants have `extend`; `itself`: the library renews. */
  readonly renews: 'by hand' | 'itself';
  /** When it tells that the key is gone, which a server lost at 500 ms; left out: never. */
  readonly tellsAt?: number;
  /** The error of a release after that; left out: none. */
  readonly releaseFails?: string;
  /** Takes clients of ioredis' own class only. */
  readonly wire?: true;
}

const redlock = (name: string, tellsAt: number): Library[] => [
  { name, key: 'a', claims: 988, renews: 'by hand', releaseFails: 'ExecutionError' },
  {
    name: `${name}/using`,
    key: 'a',
    renews: 'itself',
    tellsAt,
    releaseFails: 'ExecutionError',
  },
];

const LIBRARIES: readonly Library[] = [
  // The renewal of 488 finds the key gone, and is tried again without a pause until the claimed end of 988 is past.
  ...redlock('redlock@5.0.0-beta.1', 990),
  ...redlock('redlock@5.0.0-beta.2', 990),
  // Its renewal need not be told NOSCRIPT first: it is in at 493, before the loss, and the claim runs until 1476.
  ...redlock('@sesamecare-oss/redlock@1.4.0', 1476),
  // Renewed at 0.8 of the ttl: NOSCRIPT, the text; with a quorum to be told, its deletion as well.
  { name: 'redis-semaphore@5.8.0', key: 'mutex:a', renews: 'itself', tellsAt: 830 },
  { name: 'redis-semaphore@5.8.0/semaphore', key: 'semaphore:a', renews: 'itself', tellsAt: 840 },
  { name: 'redis-semaphore@5.8.0/redlock-mutex', key: 'mutex:a', renews: 'itself', tellsAt: 850 },
  { name: 'redis-semaphore@5.8.0/redlock-semaphore', key: 'semaphore:a', renews: 'itself', tellsAt: 850 },
  { name: 'redis-semaphore@5.5.1', key: 'mutex:a', renews: 'itself', tellsAt: 830, wire: true },
  { name: 'redlock-universal@0.8.5/simple', key: 'a', renews: 'by hand' },
  { name: 'redlock-universal@0.8.5/redlock', key: 'a', renews: 'by hand' },
  // With a ttl of one second it renews without a pause.
  { name: 'redlock-universal@0.8.5/using', key: 'a', renews: 'itself', tellsAt: 500 },
];

/** What every wall clock shows at the beginning. */
const STARTS = Date.UTC(2026, 0, 1);

const ok = ({ phase }: { phase: string }) => phase === 'ok';
const failed = ({ phase }: { phase: string }) => phase === 'fail';
const invoked = ({ phase }: { phase: string }) => phase === 'invoke';

/** What the library under test set a key to, one entry an attempt. */
function valuesOf(history: History): string[] {
  const values = eventsOf(history, 'apply').flatMap(({ args }) =>
    args.map(String).filter((word) => /^[0-9a-f]{32}$|^[0-9a-f-]{36}$/.test(word)),
  );
  return [...new Set(values)];
}

function played({ name, wire }: Library, scenario: Partial<ScenarioInput>): Promise<History> {
  const processes = { count: 1, ...scenario.processes, ...(wire && { transport: 'wire' as const }) };
  return simulated({ ...scenario, processes }, name);
}

const quietly = (history: History): void => expect(eventsOf(history, 'trouble')).toEqual([]);

describe.each([...LIBRARIES])('$name', (library) => {
  const { key, claims, renews, tellsAt, releaseFails } = library;

  it('acquires, and claims what the library claims', async () => {
    const history = await played(library, { workload: { workMs: 100, steps: 0 } });
    const [grant] = eventsOf(history, 'acquire', ok);
    expect(grant).toMatchObject({
      phase: 'ok',
      fence: null,
      signals: tellsAt !== undefined,
      renews: renews === 'itself',
      votes: ['redis-1'],
    });
    expect(grant!.phase === 'ok' && grant!.claim).toEqual(
      claims === undefined ? null : { clock: 'wall', endMs: STARTS + claims },
    );
    quietly(history);
  });

  it('sets its key, and deletes it at the release', async () => {
    const history = await played(library, { workload: { workMs: 100, steps: 0 } });
    const effects = eventsOf(history, 'key', (event) => event.key === key).map(({ effect }) => effect);
    expect(effects[0]).toBe('set');
    expect(effects.at(-1)).toBe('deleted');
    expect(eventsOf(history, 'release', failed)).toEqual([]);
    expect(valuesOf(history)).toHaveLength(1);
  });

  it('words contention as NotAcquired', async () => {
    const history = await played(library, {
      processes: { count: 2 },
      workload: { workMs: 500, steps: 0 },
      lock: { options: { retryCount: 0 } },
      overrides: { p2: { workload: { startMs: 100 } } },
    });
    expect(eventsOf(history, 'acquire', failed)).toMatchObject([
      { host: 'p2', error: { name: 'NotAcquired' } },
    ]);
    quietly(history);
  });

  it('waits for the holder with retries, and gets the lock after it', async () => {
    const history = await played(library, {
      processes: { count: 3 },
      workload: { workMs: 300, steps: 0 },
      lock: { options: { retryCount: 100, retryDelayMs: 50, retryJitterMs: 10 } },
      network: { latencyMs: [1, 9] },
    });
    const spans = ['p1', 'p2', 'p3'].map((host) => {
      const [from] = timesOf(history, 'acquire', (event) => ok(event) && event.host === host);
      const [to] = timesOf(history, 'release', (event) => invoked(event) && event.host === host);
      return [from!, to!] as const;
    });
    spans.sort(([a], [b]) => a - b);
    for (const at of [1, 2]) expect(spans[at]![0]).toBeGreaterThan(spans[at - 1]![1]);
    // No two processes, and no two tasks, draw the same.
    expect(valuesOf(history).length).toBeGreaterThanOrEqual(3);
    quietly(history);
  });

  it('gives each process and task a life of its own, the same for the same seed', async () => {
    const scenario = {
      processes: { count: 2, tasks: 2 },
      workload: { workMs: 20, steps: 0, resources: ['a', 'b'], rounds: 2 },
      lock: { options: { retryCount: 100, retryDelayMs: 20 } },
    };
    const [once, again] = [await played(library, scenario), await played(library, scenario)];
    expect(digest(again)).toBe(digest(once));
    expect(eventsOf(once, 'acquire', ok)).toHaveLength(8);
    expect(valuesOf(once).length).toBeGreaterThanOrEqual(8);
    quietly(once);
  });

  it.runIf(renews === 'by hand')('renews when it is told to', async () => {
    const history = await played(library, {
      workload: { workMs: 1500, steps: 0, extend: { atFraction: 0.5, max: 5 } },
    });
    expect(eventsOf(history, 'extend', ok).length).toBe(eventsOf(history, 'extend', invoked).length);
    expect(eventsOf(history, 'key', ({ effect }) => effect === 'expired')).toEqual([]);
    quietly(history);
  });

  it.runIf(renews === 'by hand')(
    'says that a renewal failed, and that it does not renew by itself',
    async () => {
      const history = await played(library, {
        workload: { workMs: 1500, steps: 0, extend: { atFraction: 0.7, max: 1 } },
        lock: { options: { retryCount: 0 } },
        faults: [{ atMs: 500, do: 'crash', host: 'redis-1', restartAfterMs: 50 }],
      });
      expect(eventsOf(history, 'extend', failed)).toHaveLength(1);
      const watched = await played(library, { lock: { options: { watchdog: true } } });
      expect(eventsOf(watched, 'acquire', failed)).toMatchObject([{ error: { name: 'RangeError' } }]);
      quietly(history);
      quietly(watched);
    },
  );

  it.runIf(renews === 'itself')('renews by itself for as long as the section lasts', async () => {
    const history = await played(library, {
      processes: { count: 2 },
      workload: { workMs: 3500, steps: 0 },
      overrides: { p2: { workload: { startMs: 100, workMs: 0 } } },
      lock: { options: { retryCount: 100, retryDelayMs: 100 } },
    });
    const [first, second] = timesOf(history, 'acquire', ok);
    expect(second! - first!).toBeGreaterThan(3500);
    expect(eventsOf(history, 'lost')).toEqual([]);
    quietly(history);
  });

  it('says that the lock is lost if the library does', async () => {
    const history = await played(library, {
      workload: { workMs: 3000, steps: 0 },
      lock: { options: { retryCount: 0 } },
      faults: [{ atMs: 500, do: 'crash', host: 'redis-1', restartAfterMs: 50 }],
    });
    expect(timesOf(history, 'lost').map(Math.floor)).toEqual(tellsAt === undefined ? [] : [tellsAt]);
    const errors = eventsOf(history, 'release', failed).map((event) => 'error' in event && event.error.name);
    expect(errors).toEqual(releaseFails === undefined ? [] : [releaseFails]);
    quietly(history);
  });
});

describe('redis-semaphore', () => {
  it('gives out as many permits as there are', async () => {
    for (const name of ['redis-semaphore@5.8.0/semaphore', 'redis-semaphore@5.8.0/redlock-semaphore']) {
      const history = await simulated(
        {
          processes: { count: 3 },
          workload: { workMs: 300, steps: 0 },
          lock: { permits: 2, options: { retryCount: 100, retryDelayMs: 10 } },
        } as Partial<ScenarioInput>,
        name,
      );
      const granted = timesOf(history, 'acquire', ok);
      const [firstRelease] = timesOf(history, 'release', invoked);
      expect(granted.filter((ms) => ms < firstRelease!)).toHaveLength(2);
      expect(granted).toHaveLength(3);
    }
  });

  it('5.5.1 refuses any client but ioredis’ own, and says what would help', async () => {
    const history = await simulated({}, 'redis-semaphore@5.5.1');
    const [refusal] = eventsOf(history, 'acquire', failed);
    expect(refusal).toMatchObject({ error: { name: 'TypeError' } });
    expect(JSON.stringify(refusal)).toContain('--set processes.transport=wire');
    quietly(history);
  });

  it('does not renew with watchdog: false', async () => {
    const history = await simulated(
      {
        workload: { workMs: 1500, steps: 0 },
        lock: { options: { watchdog: false } },
      } as Partial<ScenarioInput>,
      'redis-semaphore@5.8.0',
    );
    expect(eventsOf(history, 'acquire', ok)).toMatchObject([{ renews: false }]);
    expect(eventsOf(history, 'key', ({ effect }) => effect === 'expired')).toHaveLength(1);
  });
});
