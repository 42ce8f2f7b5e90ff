/** The verb explore: its document, its files, going on from a file, and what it refuses. */
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { inProcess } from './testing/in-process.js';

const out = mkdtempSync(path.join(tmpdir(), 'lockpick-explore-'));
// A file where a directory would have to be.
writeFileSync(path.join(out, 'no.json'), '');

interface Document {
  readonly format: string;
  readonly decisionPoints: number;
  readonly schedules: number;
  readonly violating: number;
  readonly smallest: number | null;
  readonly complete: boolean;
  readonly counterexample: string | null;
  readonly found: readonly {
    readonly property: string;
    readonly blame: string;
    readonly counterexample: string | null;
  }[];
}

const NEVER = `
export default {
  name: 'never', servers: 1,
  connect: () => ({
    async acquire() {
      throw Object.assign(new Error('held'), { name: 'NotAcquired' });
    },
  }),
};
`;

async function explore(...args: readonly string[]): Promise<{ code: number | null; document: Document }> {
  const { code, stdout } = await inProcess(
    ['explore', ...args, '--jobs', '1', '--json', '--quiet', '--out', out].filter((word) => word !== ''),
  );
  return { code, document: JSON.parse(stdout) as Document };
}

describe('lockpick explore', () => {
  it('says of S1 that one anomaly is enough, and keeps it as a counterexample that replays', async () => {
    const { code, document } = await explore('S1', '--anomalies', '1');
    expect(document).toMatchObject({ format: 'lockpick/explore@1', smallest: 1, complete: true });
    expect(document.violating).toBeGreaterThan(0);
    // The idea of a lease is to blame, not the lock.
    expect(code).toBe(0);
    const replay = await inProcess(['replay', document.counterexample!, '--quiet', '--out', out]);
    expect(replay.stderr).toContain('reproduced');
  });

  it('is complete and clean where nothing can be hurt', async () => {
    const { code, document } = await explore(
      'S1',
      '--property',
      'mutual-exclusion',
      '--faults',
      'pause,delay',
    );
    expect(document).toMatchObject({ violating: 0, smallest: null, complete: true, counterexample: null });
    expect(code).toBe(0);
  });

  it('fails where the lock is to blame, and needs no anomaly for what the scenario already has', async () => {
    const raw = await explore('S8', '--lock', 'pitfall/del-without-check', '--property', 'mutual-exclusion');
    expect(raw.code).toBe(1);
    const kept = await explore('S1', '--keep-faults');
    expect(kept.document).toMatchObject({ smallest: 0, schedules: 1 });
  });

  it('goes on from a file, to the same result', async () => {
    const file = path.join(out, 'state.json');
    const asked = ['S1', '--faults', 'delay', '--anomalies', '2', '--property', 'no-stale-write'];
    const whole = await explore(...asked);
    const part = await explore(...asked, '--time-limit', '1ms', '--resume', file);
    expect(part.document.complete).toBe(false);
    expect(part.code).toBe(3);
    expect(existsSync(file)).toBe(true);
    const rest = await explore(...asked, '--resume', file);
    const figures = ({ schedules, violating, smallest, complete }: Document) => [
      schedules,
      violating,
      smallest,
      complete,
    ];
    expect(figures(rest.document)).toEqual(figures(whole.document));
    const again = await explore(...asked, '--resume', file);
    expect(figures(again.document)).toEqual(figures(whole.document));
    const other = await inProcess(['explore', 'S2', '--resume', file, '--out', out]);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('another exploration');
    writeFileSync(file, readFileSync(file, 'utf8').replace('exploration@1', 'exploration@9'));
    expect((await inProcess(['explore', ...asked, '--resume', file])).code).toBe(2);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('exploration@9', 'exploration@1').replace('"sorts"', '"sort"'),
    );
    const torn = await inProcess(['explore', ...asked, '--resume', file]);
    expect(torn.code).toBe(2);
    expect(torn.stderr).toContain('is no lockpick/exploration@1 file');
  });

  it('ends when its time is up, however long a part would be, and goes on in the midst of it', async () => {
    const file = path.join(out, 'long.json');
    const asked = ['S1', '--anomalies', '4', '--property', 'progress', '--resume', file];
    let schedules = 0;
    const goOn = async (): Promise<object> => {
      const { code, document } = await explore(...asked, '--time-limit', '5s');
      expect(code).toBe(3);
      expect(document.schedules).toBeGreaterThan(schedules);
      ({ schedules } = document);
      return JSON.parse(readFileSync(file, 'utf8')) as object;
    };
    // A part would take hours, and this test would never end.
    const inItsMidst = { done: { rest: [] }, begun: [[0, expect.anything()]] };
    let kept: object;
    do kept = await goOn();
    while ('begun' in kept && (kept.begun as unknown[]).length === 0);
    expect(kept).toMatchObject(inItsMidst);
    expect(await goOn()).toMatchObject(inItsMidst);
  });

  it('says that nothing is known where nobody ever got the lock', async () => {
    const file = path.join(out, 'never.mjs');
    writeFileSync(file, NEVER);
    const { code, stdout } = await inProcess(['explore', 'S1', '--lock', file, '--quiet', '--out', out]);
    expect(stdout).toBe('Outcome  unknown: it never happened that a lock was granted\n');
    expect(code).toBe(3);
  });

  it('keeps and reports what counts, although something smaller violates', async () => {
    const lock = 'pitfall/wall-clock-validity';
    const asked = ['S1', '--lock', lock, '--faults', 'pause,step-clock'];
    const { code, document } = await explore(...asked);
    expect(code).toBe(1);
    const rows = document.found.filter(({ blame }) => blame === 'library');
    expect(rows.length).toBeGreaterThan(0);
    for (const { property, counterexample } of rows) {
      const kept = JSON.parse(readFileSync(counterexample!, 'utf8')) as { verdicts: Record<string, string> };
      expect(kept.verdicts[property]).toContain('violated');
    }
    expect(rows.map(({ counterexample }) => counterexample)).toContain(document.counterexample);
    const first = await explore(...asked, '--first');
    expect(first.code).toBe(1);
    expect(first.document.schedules).toBeLessThan(document.schedules);
  });

  it('looks on with --first until something counts', async () => {
    const { code, document } = await explore('S1', '--faults', 'pause', '--first');
    expect(document).toMatchObject({ complete: true, smallest: 1 });
    expect(code).toBe(0);
    expect((await explore('S1', '--faults', 'pause', '--first', '--fail-on', 'all')).code).toBe(1);
  });

  it.each([
    [['--property', 'fencing-order'], 'single cannot show fencing-order: its grants carry no fencing token'],
    [['--property', 'permits'], 'single cannot show permits'],
    [['--resume', path.join(out, 'no.json', 'x.json')], 'not a directory'],
    [['--anomalies', '9'], 'At most 4'],
    [['--faults', 'pauze'], 'did you mean pause'],
    [['--property', 'mutual'], 'is no property'],
    [['--faults', 'promote'], 'no replica'],
    [['--faults', 'pause,promote'], 'no replica'],
    [['--lock', 'singel'], 'did you mean single'],
  ])('refuses %s', async (args, words) => {
    const { code, stderr } = await inProcess(['explore', 'S1', ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
