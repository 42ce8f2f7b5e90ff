/** Locks while two servers take themselves for the master: nothing but a partition brings it about. */
import { describe, expect, it } from 'vitest';
import type { EventOf, History } from '../../history/events.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, simulated } from '../../testing/simulated.js';

const CUT_MS = 3000;
const HEALED_MS = 30_000;

/**
 * p1 and the master are cut from all others; both clients take the lock again and again, for 50 ms each. p2 gives silent
 * connections up; before another master is named it waits ten seconds for one to the old master.
 */
function split(servers: Partial<NonNullable<ScenarioInput['servers']>> = {}): Promise<History> {
  return simulated({
    servers: {
      replicas: 2,
      sentinels: { count: 3, quorum: 2, downAfterMs: 1000, failoverTimeoutMs: 10_000 },
      ...servers,
    },
    processes: { count: 2 },
    network: { latencyMs: [1, 2] },
    workload: { rounds: 200, workMs: 50, steps: 0, thinkMs: 150 },
    faults: [
      {
        atMs: CUT_MS,
        do: 'partition',
        from: ['p1', 'redis-1'],
        to: ['p2', 'redis-1-replica-1', 'redis-1-replica-2', 'sentinel-1', 'sentinel-2', 'sentinel-3'],
        forMs: HEALED_MS - CUT_MS,
      },
    ],
    overrides: { p2: { client: { commandTimeoutMs: 500, reconnectOnTimeout: true } } },
    limits: { virtualMs: 60_000 },
  });
}

/** When the process was given the lock, in milliseconds. */
function grants(history: History, process: string): number[] {
  return eventsOf(history, 'acquire', (event) => event.phase === 'ok' && event.host === process).map(
    ({ tUs }) => tUs / 1000,
  );
}

const promotion = (history: History): EventOf<'promote'> => eventsOf(history, 'promote')[0]!;

describe('a master that is cut off with a client', () => {
  it('grants the lock beside the new one, until the partition heals', async () => {
    const history = await split();
    const promotedMs = promotion(history).tUs / 1000;
    expect(promotedMs).toBeGreaterThan(CUT_MS + 1000);
    expect(promotedMs).toBeLessThan(CUT_MS + 2500);
    const beside = (process: string) =>
      grants(history, process).filter((atMs) => atMs > CUT_MS + 12_000 && atMs < HEALED_MS);
    expect(beside('p1').length).toBeGreaterThan(40);
    expect(beside('p2').length).toBeGreaterThan(40);
  });

  it('p1 finds the new master when the old one is demoted, at least eight seconds after', async () => {
    const history = await split();
    const [converted] = eventsOf(history, 'sentinel', ({ what }) => what === '+convert-to-slave');
    expect(converted!.tUs / 1000).toBeGreaterThan(HEALED_MS + 8000);
    const last = eventsOf(history, 'apply', ({ by }) => by === 'p1').at(-1)!;
    expect(last.host).toBe(promotion(history).replica);
  });

  it('stops where it misses its replicas: within min-replicas-max-lag and the second of its timer', async () => {
    const history = await split({ minReplicasToWrite: 1, minReplicasMaxLagS: 2 });
    expect(eventsOf(history, 'promote')).toHaveLength(1);
    const between = grants(history, 'p1').filter((atMs) => atMs > CUT_MS && atMs < HEALED_MS);
    expect(between.length).toBeGreaterThan(0);
    expect(Math.max(...between)).toBeLessThan(CUT_MS + 4000);
    const refused = eventsOf(history, 'apply', ({ reply }) => reply.startsWith('-NOREPLICAS'));
    expect(refused.length).toBeGreaterThan(0);
  });
});
