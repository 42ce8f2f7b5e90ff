/**
 * The test that a competent user writes today: a fast-check property in which a few clients use redlock@4.2.0
 * under fake timers, and which looks whether two of them are ever inside at once. The opponents differ in the
 * servers they put behind it.
 */
import fakeTimers from '@sinonjs/fake-timers';
import fc from 'fast-check';
import seedrandom from 'seedrandom';
import { TERMS, type Load, type Tally } from '../loads.js';
import { Redlock4, type ScriptClient } from './redlock4.js';
import { SlowLink, type Meter } from './slow-link.js';

/** Fresh, empty servers for one run, and how to be rid of them. */
export interface ServerSet {
  readonly servers: readonly ScriptClient[];
  dispose(): void;
}
export type MakeServers = (count: number) => ServerSet;

interface Plan {
  readonly seed: number;
  readonly clients: readonly { startMs: number; workMs: number; pauses: boolean }[];
}

/** Coarse enough to be cheap: timers inside a tick still fire at their own times. */
const TICK_MS = 50;

/** Plans without fast-check's bias to small values: both sides of the bench draw uniformly. */
function planArbitrary(load: Load): fc.Arbitrary<Plan> {
  const client = fc.record({
    startMs: fc.integer({ min: TERMS.startMs[0], max: TERMS.startMs[1] }),
    workMs: fc.integer({ min: TERMS.workMs[0], max: TERMS.workMs[1] }),
    pauses: fc.integer({ min: 1, max: 1 / TERMS.pauseChance }).map((draw) => draw === 1),
  });
  return fc.noBias(
    fc.record({
      seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
      clients: fc.array(client, { minLength: load.clients, maxLength: load.clients }),
    }),
  );
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The critical section, and whether anybody was ever in it in company. */
class Section {
  private inside = 0;
  violated = false;

  enter(): void {
    if (++this.inside > 1) this.violated = true;
  }

  leave(): void {
    this.inside--;
  }
}

async function useLock(redlock: Redlock4, client: Plan['clients'][number], section: Section): Promise<void> {
  await sleep(client.startMs);
  let lock;
  try {
    lock = await redlock.lock('a', TERMS.ttlMs);
  } catch {
    return; // others kept it for as long as it was asked for
  }
  section.enter();
  await sleep(client.workMs + (client.pauses ? TERMS.pauseMs : 0));
  section.leave();
  try {
    await lock.unlock();
  } catch {
    // it had expired
  }
}

/** One run; resolves with whether mutual exclusion was violated. */
async function playRun(load: Load, plan: Plan, makeServers: MakeServers, meter: Meter): Promise<boolean> {
  const clock = fakeTimers.install({
    now: 1_700_000_000_000,
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
  });
  const realRandom = Math.random;
  const random = seedrandom.alea(String(plan.seed));
  Math.random = random;
  const set = makeServers(load.servers);
  try {
    const [least, most] = TERMS.latencyMs;
    const latencyMs = () => least + Math.floor(random() * (most - least + 1));
    const section = new Section();
    let done = false;
    const all = Promise.all(
      plan.clients.map((client) => {
        const links = set.servers.map((server) => new SlowLink(server, latencyMs, meter));
        const redlock = new Redlock4(links, {
          retryCount: TERMS.retryCount,
          retryDelay: TERMS.retryDelayMs,
          retryJitter: TERMS.retryJitterMs,
        });
        return useLock(redlock, client, section);
      }),
    ).then(() => {
      done = true;
    });
    while (!done) await clock.tickAsync(TICK_MS);
    await all;
    return section.violated;
  } finally {
    set.dispose();
    Math.random = realRandom;
    clock.uninstall();
  }
}

/** Plays `runs` generated plans and counts instead of stopping at the first violation. */
export async function measurePropertyTest(
  load: Load,
  makeServers: MakeServers,
  runs: number,
  seed: number,
): Promise<Tally> {
  const meter: Meter = { commands: 0 };
  let violating = 0;
  let commandsSquared = 0;
  const startMs = performance.now();
  await fc.assert(
    fc.asyncProperty(planArbitrary(load), async (plan) => {
      const before = meter.commands;
      if (await playRun(load, plan, makeServers, meter)) violating++;
      commandsSquared += (meter.commands - before) ** 2;
    }),
    { numRuns: runs, seed },
  );
  const seconds = (performance.now() - startMs) / 1000;
  return { runs, seconds, commands: meter.commands, commandsSquared, violating };
}
