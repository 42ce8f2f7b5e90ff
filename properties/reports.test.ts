/**
 * The rows of public reports on the other transport: what is charged to a library does not depend on who makes its clients, unless the
 * client itself does something about it. Those differences are listed, each with its reason.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CatalogueEntry } from '../sim/catalogue/entry.js';
import { FROM_SOURCES } from '../sim/catalogue/reports/from-sources.js';
import { REPORTS } from '../sim/catalogue/reports/index.js';
import { loadLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import { PROPERTY_IDS, type Scenario } from '../sim/scenario/schema.js';
import { resolveLock } from '../src/resolve.js';
import { judge } from './judge.js';
import { otherFigures } from './observe.js';
import { reportsPage } from './testing/reports-page.js';

const PAGE = fileURLToPath(new URL('../docs/reports.md', import.meta.url));

type Expected = Scenario['expect'][string];

interface Difference {
  readonly why: string;
  /** What comes out otherwise on the other transport; left out: the row can't be there at all. */
  readonly instead?: Expected;
}

/** Whose call rejects is in nobody's way: it is over, and its key runs out. */
const REJECTS: Difference = {
  why: 'only ioredis sends a command again: the direct client rejects it, and the library with it',
  instead: { 'no-orphan': 'holds' },
};

const REAL_CLIENTS_ONLY: Difference = { why: 'this version takes clients of the real ioredis only' };

/** By row and lock, or by row for all of its locks. */
const DIFFERENCES: Readonly<Record<string, Difference>> = {
  'B09 redlock@4.2.0/legacy': { why: 'only redis@4 has a legacy mode' },
  'B09M redlock@4.2.0/legacy': { why: 'only redis@4 has a legacy mode' },
  'B28 bullmq@5.81.5': { why: 'BullMQ takes clients of the real ioredis only' },
  'L05 redis-semaphore@5.8.0': REJECTS,
  'L05 node-redis-warlock@1.0.2': REJECTS,
  'L05 @microfleet/ioredis-lock@6.0.1': REJECTS,
  'L08 redis-semaphore@5.3.0': REAL_CLIENTS_ONLY,
  'L08 redis-semaphore@5.3.1': REAL_CLIENTS_ONLY,
};

function differenceOf(id: string, lock: string): Difference | undefined {
  return DIFFERENCES[`${id} ${lock}`] ?? DIFFERENCES[id];
}

/** The same row on the transport that it is not written for. */
function elsewhere({ scenario }: CatalogueEntry, lock: string): Scenario {
  const { transport, clientPackage: _, ...processes } = scenario.processes ?? {};
  return parseScenario({
    ...scenario,
    lock: { ...scenario.lock, name: lock },
    processes: { ...processes, transport: transport === 'wire' ? 'direct' : 'wire' },
  });
}

const CELLS = [...REPORTS, ...FROM_SOURCES].flatMap((entry) =>
  Object.keys(entry.scenario.expect ?? {}).map((lock) => ({ id: entry.scenario.id, lock, entry })),
);

describe('on the other transport', () => {
  it.each(CELLS.filter(({ id, lock }) => isPossible(differenceOf(id, lock))))(
    '$id, $lock',
    async ({ id, lock, entry }) => {
      const scenario = elsewhere(entry, lock);
      const history = await simulate(scenario, await loadLock(resolveLock(lock)));
      const wanted = { ...scenario.expect[lock], ...differenceOf(id, lock)?.instead };
      const { verdicts } = judge(history);
      const found: Record<string, string> = {};
      for (const property of PROPERTY_IDS) {
        const verdict = verdicts[property];
        if (wanted[property] === undefined && verdict.verdict !== 'violated') continue;
        found[property] = verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
      }
      const { observe, ...judged } = wanted;
      expect(found).toEqual(judged);
      expect(otherFigures(history, observe)).toEqual([]);
    },
  );

  it('differs only in rows that there are', () => {
    const known = CELLS.flatMap(({ id, lock }) => [id, `${id} ${lock}`]);
    expect(Object.keys(DIFFERENCES).filter((name) => !known.includes(name))).toEqual([]);
  });
});

it('the page of reports is current (UPDATE_DOCS=1 writes it)', () => {
  const page = reportsPage(REPORTS, FROM_SOURCES);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);
  expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(page);
});

function isPossible(difference: Difference | undefined): boolean {
  return difference === undefined || difference.instead !== undefined;
}
