/**
 * The same scenario and seed give the same history, byte for byte: twice in this process, and the same as when the golden
 * digests were taken. Goldens change only by `npm run goldens`, with the reason in the commit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { digest } from '../sim/history/digest.js';
import type { History } from '../sim/history/events.js';
import { loadLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import type { Scenario } from '../sim/scenario/schema.js';
import { resolveLock } from '../src/resolve.js';

const FILE = fileURLToPath(new URL('./goldens.json', import.meta.url));
const UPDATE = process.env['UPDATE_GOLDENS'] === '1';

type Goldens = Record<string, { lock: string; digest: string }>;

const goldens = JSON.parse(readFileSync(FILE, 'utf8')) as Goldens;
const taken: Goldens = {};

const SCENARIOS = CATALOGUE.map(({ scenario }) => parseScenario(scenario, scenario.id));

async function historyOf(scenario: Scenario, lock: string): Promise<History> {
  const loaded = await loadLock(resolveLock(lock));
  return simulate({ ...scenario, lock: { ...scenario.lock, name: lock } }, loaded);
}

/** What happened, without what does not bear on it: the text of the lock's bundle, the version, what was expected. */
function digestOfEvents({ header, events }: History): string {
  const scenario = { ...header.scenario, expect: {} };
  const bare = { ...header, scenario, lock: { ...header.lock, bundle: null }, versions: { lockpick: '' } };
  return digest({ header: bare, events });
}

describe.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))('%s', (id, scenario) => {
  // To make real clients costs much more than a run does: on the wire one lock stands for all.
  const named = Object.keys(scenario.expect);
  const locks = scenario.processes.transport === 'wire' ? named.slice(0, 1) : named;

  it.each(locks)('gives the same history twice on %s', async (lock) => {
    const first = await historyOf(scenario, lock);
    expect(digest(await historyOf(scenario, lock))).toBe(digest(first));
    if (lock === locks[0]) taken[id] = { lock, digest: digestOfEvents(first) };
  });

  it('gives the history of its golden digest', () => {
    if (UPDATE) return;
    expect(taken[id]).toEqual(goldens[id]);
  });
});

describe('the golden digests', () => {
  it('are of the scenarios there are', () => {
    if (UPDATE) return;
    expect(Object.keys(goldens).sort()).toEqual(SCENARIOS.map(({ id }) => id).sort());
  });

  it('differ from those of another seed where chance has a say', async () => {
    const scenario = SCENARIOS.find(({ id }) => id === 'C5')!;
    const other = await historyOf({ ...scenario, seed: scenario.seed + 1 }, 'redlock');
    expect(other.events).not.toEqual((await historyOf(scenario, 'redlock')).events);
  });
});

afterAll(() => {
  if (UPDATE) writeFileSync(FILE, `${JSON.stringify(taken, null, 2)}\n`);
});
