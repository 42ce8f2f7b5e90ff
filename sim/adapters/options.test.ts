/** Options that not every library has, and clients that not every transport has. */
import { describe, expect, it } from 'vitest';
import { eventsOf, simulated } from '../testing/simulated.js';

const failed = ({ phase }: { phase: string }) => phase === 'fail';
const ok = ({ phase }: { phase: string }) => phase === 'ok';

describe('retries without end', () => {
  /** p1 holds for longer than ten retries of p2 take. */
  const busy = (lock: string) =>
    simulated(
      {
        processes: { count: 2 },
        lock: { ttlMs: 5000, options: { retryCount: -1, retryDelayMs: 20, retryJitterMs: 0 } },
        workload: { workMs: 1500, steps: 0 },
        overrides: { p2: { workload: { startMs: 50, workMs: 0 } } },
      },
      lock,
    );

  it.each([
    'redlock@4.2.0',
    'redlock@5.0.0-beta.2',
    'redis-semaphore@5.8.0',
    '@microfleet/ioredis-lock@6.0.1',
    'ioredis-lock@4.0.0',
    'redislock@1.3.0',
    'node-redis-warlock@1.0.2',
    'redis-lock@1.0.0',
    'simple-redis-mutex@3.0.0',
    'pitfall/watchdog-gives-up',
    'single',
  ])('%s asks until it has the lock', async (lock) => {
    const granted = eventsOf(await busy(lock), 'acquire', ok);
    expect(granted.map(({ host }) => host)).toEqual(['p1', 'p2']);
    expect(granted[1]!.tUs).toBeGreaterThan(1_500_000);
  });

  it('redlock-universal says that it can’t', async () => {
    for (const name of ['redlock-universal@0.8.5/simple', 'redlock-universal@0.8.5/lock-manager']) {
      const refused = eventsOf(await busy(name), 'acquire', failed);
      expect(refused[0]).toMatchObject({
        error: { name: 'RangeError', message: expect.stringContaining(`no "retryCount" -1`) },
      });
    }
  });
});

describe('redlock@4.2.0/legacy', () => {
  const LOCK = 'redlock@4.2.0/legacy';

  it('locks and releases over redis@4', async () => {
    const history = await simulated(
      { processes: { count: 1, transport: 'wire', clientPackage: 'redis@4' } },
      LOCK,
    );
    expect(eventsOf(history, 'acquire', ok)).toHaveLength(1);
    expect(eventsOf(history, 'release', ok)).toHaveLength(1);
    expect(eventsOf(history, 'trouble')).toEqual([]);
  });

  it('refuses clients without a legacy mode, and says what would help', async () => {
    const [refused] = eventsOf(await simulated({}, LOCK), 'acquire', failed);
    expect(refused).toMatchObject({
      error: {
        name: 'RangeError',
        message: expect.stringContaining('--set processes.clientPackage=redis@4'),
      },
    });
  });
});
