/**
 * The engine ioredis-mock against native: the same verdicts but for the differences that are written down, and the page that
 * shows them. A share of the catalogue here; all of it with ENGINES=all (some minutes).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { digest } from '../sim/history/digest.js';
import { inMacrotask } from '../sim/kernel/macrotask.js';
import { loadLock } from '../sim/load.js';
import { freshEngine, prepareEngine } from '../sim/redis/engines.js';
import { DIFFERENCES, type Difference } from '../sim/redis/mock/testing/differences.js';
import { EngineServer } from '../sim/redis/mock/testing/server.js';
import { simulate } from '../sim/run.js';
import { parseScenario, ScenarioError } from '../sim/scenario/parse.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../sim/scenario/schema.js';
import { applySets } from '../sim/scenario/set-path.js';
import { resolveLock } from '../src/resolve.js';
import { judge } from './judge.js';
import { CELL_DIFFERENCES } from './testing/engine-cells.js';
import { enginesPage, type DifferenceRow } from './testing/engines-page.js';

const PAGE = fileURLToPath(new URL('../docs/engines.md', import.meta.url));
type Engine = Scenario['servers']['engine'];

interface Cell {
  readonly scenario: Scenario;
  readonly lock: string;
}

const cells: Cell[] = CATALOGUE.map(({ scenario }) => parseScenario(scenario, scenario.id))
  .filter(plays)
  .flatMap((scenario) => Object.keys(scenario.expect).map((lock) => ({ scenario, lock })));

/** Cells of every kind that take less than a second or two; those of several servers take longer. */
const QUICK: readonly (readonly [scenario: string, lock: string])[] = [
  ['S1', 'single'],
  ['S4', 'single-fenced'],
  ['S6', 'redlock'],
  ['S7', 'redlock@4.2.0'],
  ['S8', 'pitfall/get-then-del'],
  ['S9', 'pitfall/get-then-del'],
  ['S11', 'single-fenced'],
  ['S12', 'redlock-fenced'],
  ['S15', 'single'],
  ['E1', 'single'],
  ['E4', 'redlock-fenced'],
  ['F3', 'single-fenced'],
];
const SHARE = [...QUICK, ...CELL_DIFFERENCES.map(({ scenario, lock }) => [scenario, lock] as const)].map(
  ([id, name]) => cells.find(({ scenario, lock }) => scenario.id === id && lock === name)!,
);

function plays(scenario: Scenario): boolean {
  try {
    applySets(scenario, [{ path: 'servers.engine', value: 'ioredis-mock' }]);
    return true;
  } catch (error) {
    if (error instanceof ScenarioError) return false;
    throw error;
  }
}

function differencesOf(scenario: string, lock: string): typeof CELL_DIFFERENCES {
  return CELL_DIFFERENCES.filter((each) => each.scenario === scenario && each.lock === lock);
}

async function run({ scenario, lock }: Cell, engine: Engine) {
  const set = applySets(scenario, [
    { path: 'lock.name', value: lock },
    { path: 'servers.engine', value: engine },
  ]);
  return simulate(set, await loadLock(resolveLock(lock)));
}

async function verdictsOn(cell: Cell, engine: Engine): Promise<Record<string, string>> {
  const { verdicts } = judge(await run(cell, engine));
  const word = (property: PropertyId): string => {
    const verdict = verdicts[property];
    return verdict.verdict === 'violated' ? `violated/${verdict.blame}` : verdict.verdict;
  };
  return Object.fromEntries(PROPERTY_IDS.map((property) => [property, word(property)]));
}

describe('verdicts are those of native', () => {
  const chosen = process.env['ENGINES'] === 'all' ? cells : SHARE;

  it.each(chosen.map((cell) => [`${cell.scenario.id} × ${cell.lock}`, cell] as const))(
    '%s',
    async (_name, cell) => {
      const expected = await verdictsOn(cell, 'native');
      for (const { property, native, mock } of differencesOf(cell.scenario.id, cell.lock)) {
        expect(expected[property], property).toBe(native);
        expected[property] = mock;
      }
      expect(await verdictsOn(cell, 'ioredis-mock')).toEqual(expected);
    },
  );

  it('and histories are the same each time', async () => {
    for (const cell of SHARE.slice(-2)) {
      const first = digest(await run(cell, 'ioredis-mock'));
      expect(digest(await run(cell, 'ioredis-mock'))).toBe(first);
    }
  });
});

describe('answers differ as docs/engines.md says', () => {
  beforeAll(() => prepareEngine('ioredis-mock'));
  const rows: DifferenceRow[] = [];

  it.each(DIFFERENCES.map((difference) => [difference.about, difference] as const))(
    '%s',
    async (_about, difference) => {
      const [native, mock] = [
        await lastAnswer(difference, 'native'),
        await lastAnswer(difference, 'ioredis-mock'),
      ];
      rows.push({ ...difference, native, mock });
      expect(mock).not.toBe(native);
    },
  );

  it('and the page is current (UPDATE_DOCS=1 writes it)', () => {
    const page = enginesPage({ rows, cells: CELL_DIFFERENCES });
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, page);
    expect(existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '').toBe(page);
  });
});

async function lastAnswer({ steps }: Difference, engine: Engine): Promise<string> {
  const server = await inMacrotask(() => new EngineServer(freshEngine(engine)));
  let answer = '';
  for (const step of steps) {
    if (typeof step === 'number') await server.wait(step);
    else if ('on' in step) answer = await server.ask(step.args, step.on);
    else answer = await server.ask(step);
  }
  return answer;
}
