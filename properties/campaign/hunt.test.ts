/** A small fixed share of the table in docs/hunt.md: plain hunts, told nothing but the lock's name, find the mistake of a pitfall. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadLock } from '../../sim/load.js';
import { LOCKS } from '../../src/registry.js';
import { resolveLock } from '../../src/resolve.js';
import { Hunt } from '../search/hunt/hunt.js';

/** Pitfalls that take more runs are hunted by the bench. */
const FEW = 30;

const page = readFileSync(new URL('../../docs/hunt.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `(pitfall\/[\w-]+)` *\| (\d+) · (\d+) · (\d+) *\|$/gm)];
const table = rows.map(([, lock, ...runs]) => ({ lock: lock!, runs: runs.map(Number) }));

it('the table has every pitfall, each found within 20,000 runs and half of them within 500', () => {
  const pitfalls = LOCKS.filter(({ kind }) => kind === 'pitfall').map(({ name }) => name);
  expect(table.map(({ lock }) => lock).sort()).toEqual([...pitfalls].sort());
  const runs = table.flatMap((row) => row.runs).sort((a, b) => a - b);
  expect(runs.at(-1)).toBeLessThanOrEqual(20_000);
  expect(runs[Math.floor(runs.length / 2)]).toBeLessThanOrEqual(500);
});

describe.each(table.filter(({ runs }) => runs[0]! <= FEW))('$lock', ({ lock, runs }) => {
  it(`is found within ${runs[0]} runs of seed 1`, async () => {
    const plain = { assume: 'everything', kinds: null, properties: null, sets: [], reuse: true } as const;
    const hunt = new Hunt({ lock, seed: 1, ...plain }, await loadLock(resolveLock(lock)));
    const { findings } = await hunt.range(0, runs[0]!);
    expect(findings.map(({ blame }) => blame)).toContain('library');
  });
});
