/**
 * The catalogue's inequalities, on both sides: one step inside the lock holds, one step outside it is violated, with the stated
 * blame. And its promises of safety: values that must not matter don't.
 */
import { describe, expect, it } from 'vitest';
import type { Boundary, CatalogueEntry, Control } from '../sim/catalogue/entry.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import type { History } from '../sim/history/events.js';
import { loadLock } from '../sim/load.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import type { PropertyId, Scenario } from '../sim/scenario/schema.js';
import { applySets } from '../sim/scenario/set-path.js';
import { resolveLock } from '../src/resolve.js';
import { judge } from './judge.js';
import type { Verdict } from './verdict.js';

/** The entry's scenario with the changes that come before the varied value. */
function prepared(entry: CatalogueEntry, { lock, set }: Pick<Boundary | Control, 'lock' | 'set'>): Scenario {
  const settings = Object.entries(set ?? {}).map(([path, value]) => ({ path, value }));
  return applySets(parseScenario(entry.scenario), [{ path: 'lock.name', value: lock }, ...settings]);
}

async function run(scenario: Scenario, path: string, value: number): Promise<History> {
  // True time is whole microseconds; so are a scenario's milliseconds.
  const varied = applySets(scenario, [{ path, value: Math.round(value * 1000) / 1000 }]);
  const history = await simulate(varied, await loadLock(resolveLock(varied.lock.name)));
  const end = history.events.at(-1);
  expect(end, 'the run ends, and every fault has struck').toMatchObject({ kind: 'end', untriggered: [] });
  return history;
}

/** A verdict in one line, with its reason: what a failing test should show. */
function shown(verdict: Verdict): string {
  if (verdict.verdict === 'holds') return 'holds';
  if (verdict.verdict === 'unknown') return `unknown: ${verdict.reason}`;
  return `violated/${verdict.blame}: ${verdict.reason}`;
}

async function verdictAt(
  scenario: Scenario,
  path: string,
  property: PropertyId,
  value: number,
): Promise<string> {
  return shown(judge(await run(scenario, path, value)).verdicts[property]);
}

const withBoundaries = CATALOGUE.filter(({ boundaries }) => boundaries.length > 0);
const withControls = CATALOGUE.filter(({ controls }) => (controls ?? []).length > 0);

describe.each(withBoundaries.map((entry) => [entry.scenario.id, entry] as const))(
  '%s flips',
  (_id, entry) => {
    it.each(
      entry.boundaries.map(
        (boundary) => [boundary.lock, boundary.property, boundary.closedForm, boundary] as const,
      ),
    )('%s: %s where %s', async (_lock, property, _form, boundary) => {
      const scenario = prepared(entry, boundary);
      const flipsAt = boundary.flipsAt(scenario);
      const outward = (boundary.violated === 'below' ? -1 : 1) * (boundary.step ?? 1);
      const inside = await verdictAt(scenario, boundary.path, property, flipsAt - outward);
      expect(inside, `inside, ${boundary.path} = ${flipsAt - outward}`).toBe('holds');
      const outside = await verdictAt(scenario, boundary.path, property, flipsAt + outward);
      expect(outside, `outside, ${boundary.path} = ${flipsAt + outward}`).toContain(boundary.verdict);
    });
  },
);

describe.each(withControls.map((entry) => [entry.scenario.id, entry] as const))(
  '%s is safe',
  (_id, entry) => {
    it.each((entry.controls ?? []).map((control) => [control.lock, control.path, control] as const))(
      '%s, whatever %s',
      async (_lock, path, control) => {
        const scenario = prepared(entry, control);
        for (const value of control.values) {
          const { verdicts } = judge(await run(scenario, path, value));
          for (const property of control.properties)
            expect(shown(verdicts[property]), `${property}, ${path} = ${value}`).not.toContain('violated');
        }
      },
    );
  },
);
