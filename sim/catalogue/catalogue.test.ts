import { describe, expect, it } from 'vitest';
import { LOCKS } from '../../src/registry.js';
import { parseScenario } from '../scenario/parse.js';
import { PROPERTY_IDS } from '../scenario/schema.js';
import { applySets, readPath } from '../scenario/set-path.js';
import type { Boundary, Control } from './entry.js';
import { CATALOGUE } from './index.js';

const ROWS =
  'S1 S2 S3 S4 S5 S6 S7 S8 S9 S10 S11 S12 S13 S14 S15 S16 S17 S18 S19 S20 S21 S22 S23 S24 S24N S25 S26 E1 E4 E5 E6 E7 E9 E10 E11 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 F1 F2 F3 F6 M1 Q1 S17S S25S E6S R8S B01 B02 B03 B05 B06 B07 B09 B09M B10 B11 B14 B15 B17 B21 B22 B24 B25 B28 B34 B35 L01 L02 L03 L04 L05 L06 L07 L08';
const LOCK_NAMES = LOCKS.map(({ name }) => name);
const VERDICT = /^(holds|unknown|violated\/(library|infrastructure|lease|usage))$/;

/** The scenario as a boundary or a control changes it before it varies its path. */
function changed({ lock, set }: Pick<Boundary | Control, 'lock' | 'set'>, entry: (typeof CATALOGUE)[number]) {
  const settings = Object.entries(set ?? {}).map(([path, value]) => ({ path, value }));
  return applySets(parseScenario(entry.scenario), [{ path: 'lock.name', value: lock }, ...settings]);
}

describe('the catalogue', () => {
  it('has every row, once', () => {
    const ids = CATALOGUE.map(({ scenario }) => scenario.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(ROWS.split(' ')));
  });

  it('expects every pitfall to be caught somewhere, with blame library', () => {
    const caught = new Set<string>();
    for (const { scenario } of CATALOGUE)
      for (const [lock, verdicts] of Object.entries(scenario.expect ?? {}))
        if (Object.values(verdicts).includes('violated/library')) caught.add(lock);
    const pitfalls = LOCKS.filter(({ kind }) => kind === 'pitfall').map(({ name }) => name);
    expect(pitfalls.filter((name) => !caught.has(name))).toEqual([]);
  });

  it('never expects a reference lock to be at fault, but where its jitter is taken away (R9)', () => {
    for (const { scenario } of CATALOGUE.filter((entry) => entry.scenario.id !== 'R9'))
      for (const { name } of LOCKS.filter(({ kind }) => kind === 'reference'))
        expect(Object.values(scenario.expect?.[name] ?? {}), `${scenario.id} ${name}`).not.toContain(
          'violated/library',
        );
  });

  describe.each(CATALOGUE.map((entry) => [entry.scenario.id, entry] as const))('%s', (_id, entry) => {
    it('is a valid scenario with expectations of known locks and properties', () => {
      const scenario = parseScenario(entry.scenario);
      expect(Object.keys(scenario.expect).length).toBeGreaterThan(0);
      for (const [lock, verdicts] of Object.entries(scenario.expect)) {
        expect(LOCK_NAMES).toContain(lock);
        for (const [property, verdict] of Object.entries(verdicts)) {
          if (property === 'observe') continue;
          expect(PROPERTY_IDS).toContain(property);
          expect(verdict).toMatch(VERDICT);
        }
      }
    });

    it('says what it asks, what it teaches and where it is from', () => {
      expect(entry.title).not.toMatch(/[.?]$/);
      expect(entry.question).toMatch(/[.?]$/);
      expect(entry.takeaway).toMatch(/\.$/);
      expect(entry.source.length).toBeGreaterThan(0);
    });

    it('stands on values that a scenario can have', () => {
      for (const boundary of entry.boundaries) {
        const scenario = changed(boundary, entry);
        const flipsAt = boundary.flipsAt(scenario);
        expect(Number.isFinite(flipsAt), boundary.closedForm).toBe(true);
        expect(boundary.verdict).toMatch(VERDICT);
        const step = boundary.step ?? 1;
        for (const value of [flipsAt - step, flipsAt + step])
          applySets(scenario, [{ path: boundary.path, value: microseconds(value) }]);
      }
      for (const control of entry.controls ?? [])
        for (const value of control.values)
          applySets(changed(control, entry), [{ path: control.path, value }]);
    });

    it('varies what is there to be varied', () => {
      for (const vary of [...entry.boundaries, ...(entry.controls ?? [])]) {
        const { path } = vary;
        const now = readPath(changed(vary, entry), path);
        expect(typeof now === 'number' || now === undefined, `${path} is ${JSON.stringify(now)}`).toBe(true);
      }
    });
  });
});

function microseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
