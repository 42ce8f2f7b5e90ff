/** The README's track record is the catalogue's, and its commands do what they promise. `UPDATE_GOLDENS=1` writes it anew. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { findLock } from '../src/registry.js';
import { inProcess } from './testing/in-process.js';
import { trackRecord, trackRecordTable, type Recorded } from './testing/track-record.js';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const PLACE = /(<!-- track record[^>]*-->\n)[^]*?(\n<!-- end of the track record -->)/;
const out = mkdtempSync(path.join(tmpdir(), 'lockpick-record-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('the track record', () => {
  it('stands in the README as the catalogue has it', () => {
    const text = readFileSync(readme, 'utf8');
    expect(text).toMatch(PLACE);
    const table = text.replace(
      PLACE,
      (_all, begin: string, end: string) => `${begin}\n${trackRecordTable()}${end}`,
    );
    if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(readme, table);
    else expect(text).toBe(table);
  });

  it('names every library version whose fault a public report tells of, and no lock of ours', () => {
    const rows = trackRecord();
    const reported = rows.filter(({ entry }) => entry.report !== undefined);
    expect(reported.length).toBeGreaterThanOrEqual(10);
    for (const { locks } of rows)
      for (const lock of locks) expect(findLock(lock)?.kind, lock).toBe('adapter');
  });

  it.each(some(trackRecord()))('%s', async (command, { violated }) => {
    const [npx, lockpick, ...args] = command.split(' ');
    expect([npx, lockpick]).toEqual(['npx', 'lockpick']);
    const { code, stdout, stderr } = await inProcess([...args, '--json', '--quiet', '--out', out]);
    expect(code, stderr).toBe(0);
    const { verdicts } = JSON.parse(stdout) as {
      verdicts: Record<string, { verdict: string; blame?: string }>;
    };
    const found = Object.entries(verdicts)
      .filter(([, { verdict }]) => verdict === 'violated')
      .map(([property, { blame }]) => `${property} (${blame!})`);
    expect(found).toEqual(expect.arrayContaining([...violated]));
  });
});

/** One in eight: the catalogue's own tests run them all. */
function some(rows: readonly Recorded[]): [string, Recorded][] {
  return rows.filter((_, index) => index % 8 === 2).map((row) => [row.command, row]);
}
