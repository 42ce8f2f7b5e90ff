/**
 * S19: a client on the side of a master that is cut off from the other nodes. The master takes a lock for it until the node
 * time-out is over, the rest of the cluster replaces the master, and a rival gets the lock there.
 */
import { describe, expect, it } from 'vitest';
import type { History } from '../../history/events.js';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, simulated } from '../../testing/simulated.js';

const NODE_TIMEOUT_MS = 1000;
const HEALED_MS = 12_000;
const NODES = [1, 2, 3].flatMap((index) => [`redis-${index}`, `redis-${index}-replica-1`]);
/** The key `a` is in slot 15495. */
const MASTER = 'redis-3';
const OTHERS = NODES.filter((name) => name !== MASTER);

/** p1's first command finds the master cut off from the other nodes; p2 reaches them all and never stops asking. */
function cutOff(given: { ttlMs: number; delayMs?: number; p2?: boolean }): Promise<History> {
  const { ttlMs, delayMs = 0, p2 = true } = given;
  const sent = { event: 'sent', process: 'p1', command: 'SET' } as const;
  const scenario: Partial<ScenarioInput> = {
    seed: 1,
    servers: { count: 3, replicas: 1, cluster: { nodeTimeoutMs: NODE_TIMEOUT_MS } },
    network: { latencyMs: 1 },
    processes: { count: p2 ? 2 : 1 },
    workload: { workMs: 6000, steps: 2 },
    lock: { ttlMs, options: { retryCount: 0 } },
    overrides: p2
      ? {
          p2: {
            workload: { startMs: 100, workMs: 10 },
            lock: { options: { retryCount: 1000, retryDelayMs: 10, retryJitterMs: 0 } },
          },
        }
      : {},
    faults: [
      { atMs: 0, do: 'partition', from: MASTER, to: OTHERS, forMs: HEALED_MS },
      { on: sent, do: 'partition', from: 'p1', to: OTHERS, forMs: HEALED_MS },
      ...(delayMs > 0 ? [{ on: sent, do: 'delay' as const, byMs: delayMs }] : []),
    ],
  };
  return simulated(scenario);
}

function grant(history: History, process: string) {
  return eventsOf(history, 'acquire', ({ host, phase }) => host === process && phase === 'ok')[0];
}

describe('S19: a master in the minority', () => {
  it('grants a lock that the new master knows nothing of: two holders', async () => {
    const history = await cutOff({ ttlMs: 8000 });
    const [promotion] = eventsOf(history, 'promote');
    expect(promotion).toMatchObject({ host: MASTER, replica: `${MASTER}-replica-1`, unreplicated: 1 });
    const p2 = grant(history, 'p2')!;
    // At most one wait of the client for a cluster that is down, redirections and the command.
    expect(p2.tUs - promotion!.tUs).toBeGreaterThan(0);
    expect(p2.tUs - promotion!.tUs).toBeLessThan(150_000);
    expect(eventsOf(history, 'key', ({ effect }) => effect === 'lost')).toHaveLength(1);
  });

  it('lets two hold it if the promotion comes before the end of the first claim, and not otherwise', async () => {
    const first = await cutOff({ ttlMs: 8000 });
    const p2Us = grant(first, 'p2')!.tUs;
    const overlapUs = async (ttlMs: number): Promise<number> => {
      const history = await cutOff({ ttlMs });
      const p1 = grant(history, 'p1')!;
      const p2 = grant(history, 'p2')!;
      expect(p2.tUs).toBe(p2Us);
      const key = eventsOf(
        history,
        'key',
        ({ effect, setter }) => effect === 'set' && setter === p1.hold,
      )[0]!;
      return key.tUs + ttlMs * 1000 - p2.tUs;
    };
    // The ttl for which the first key would end at the very grant of the second.
    const applied = eventsOf(first, 'key', ({ effect }) => effect === 'set')[0]!;
    const evenMs = Math.round((p2Us - applied.tUs) / 1000);
    expect(await overlapUs(evenMs + 1)).toBeGreaterThan(0);
    expect(await overlapUs(evenMs - 1)).toBeLessThan(0);
  });

  it('grants nothing any more once the node time-out is over', async () => {
    const granted = async (delayMs: number): Promise<boolean> => {
      const history = await cutOff({ ttlMs: 8000, delayMs, p2: false });
      const [first] = eventsOf(history, 'apply', ({ args }) => args[0] === 'SET');
      expect(first).toMatchObject({ host: MASTER, tUs: (delayMs + 1) * 1000 });
      if (first!.reply !== 'OK') expect(first!.reply).toBe('-CLUSTERDOWN The cluster is down');
      return first!.reply === 'OK';
    };
    // Bisected to the millisecond: the command arrives just before, or just after, the master's look at its peers.
    let [least, most] = [0, 2 * NODE_TIMEOUT_MS];
    expect([await granted(1), await granted(most)]).toEqual([true, false]);
    while (most - least > 1) {
      const middle = Math.floor((least + most) / 2);
      if (await granted(middle)) least = middle;
      else most = middle;
    }
    // Not before the time-out; a PING leaves half a time-out after the last answer at the latest, and two looks may pass.
    expect(least).toBeGreaterThanOrEqual(NODE_TIMEOUT_MS - 3);
    expect(most).toBeLessThanOrEqual(1.5 * NODE_TIMEOUT_MS + 200);
    expect(await granted(least)).toBe(true);
    expect(await granted(most)).toBe(false);
  });

  it('is the same run every time', async () => {
    const one = await cutOff({ ttlMs: 3000 });
    const other = await cutOff({ ttlMs: 3000 });
    expect(other.events).toEqual(one.events);
  });
});
