/** Trials of locks that have few rows, so that whole ones can be run; and what is decided before any run. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from './execute.js';
import { EXIT } from './exit.js';
import { exitOfTrial } from './trial.js';
import { inProcess } from './testing/in-process.js';
import { workplace } from './testing/lockpick.js';
import { grouped, type Sighting } from './trial/findings.js';
import type { LockTrial } from './trial/lock-trial.js';
import { rowsFor, type Row } from './trial/rows.js';

const out = mkdtempSync(path.join(tmpdir(), 'lockpick-trial-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

interface Document {
  readonly format: string;
  readonly asExpected: boolean;
  readonly locks: readonly (LockTrial & { readonly kind: string; readonly against: number })[];
}

describe('lockpick trial', () => {
  const SEMAPHORE = 'redis-semaphore@5.8.0/semaphore';
  let document: Document;
  let code: number | null;
  let card: string;

  beforeAll(async () => {
    const ended = await inProcess(['trial', SEMAPHORE, 'semaphore', '--json', '--jobs', '1', '--out', out]);
    ({ code } = ended);
    document = JSON.parse(ended.stdout) as Document;
    card = readFileSync(path.join(out, 'trial.txt'), 'utf8');
  });

  it('holds against a library what its rows and the hunt show, and nothing against the control', () => {
    expect(document).toMatchObject({ format: 'lockpick/trial@1', asExpected: true });
    expect(code).toBe(EXIT.asExpected);
    const [library, control] = document.locks;
    expect(library).toMatchObject({ name: SEMAPHORE, kind: 'adapter', hunted: 200, unexpected: [] });
    // Its permits go by the clocks of clients: L02 and Q1 say so.
    expect(library!.findings.filter(({ counts }) => counts).map(({ property }) => property)).toEqual(
      expect.arrayContaining(['mutual-exclusion', 'own-key-only', 'permits']),
    );
    expect(control).toMatchObject({ name: 'semaphore', kind: 'reference', against: 0, findings: [] });
    expect(control!.expected).toBeGreaterThanOrEqual(2);
  });

  it('finds one of each property and blame, on the wire', () => {
    const { findings } = document.locks[0]!;
    const keys = findings.map(({ property, blame }) => `${property}/${blame}`);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(findings.map(({ transport }) => transport))).toEqual(new Set(['wire']));
  });

  it('prints commands that show what they are printed for', async () => {
    const commands = new Map(
      document.locks[0]!.findings.map((finding) => [finding.command, finding] as const),
    );
    expect(commands.size).toBeGreaterThanOrEqual(3);
    for (const [command, { property, blame, counterexample }] of commands) {
      expect(card).toContain(command);
      if (counterexample !== null) expect(existsSync(counterexample)).toBe(true);
      const [, , ...args] = command.split(' ');
      const again = await inProcess([...args, '--json', '--quiet', '--out', path.join(out, 'again')]);
      const { verdicts } = JSON.parse(again.stdout) as { verdicts: Record<string, object> };
      expect(verdicts[property], command).toMatchObject({ verdict: 'violated', blame });
    }
  });

  it('refuses what is no lock, and a number that is none', async () => {
    expect((await inProcess(['trial', 'redlok@4.2.0'])).code).toBe(EXIT.usage);
    expect((await inProcess(['trial', 'single', '--hunt-runs', 'x'])).code).toBe(EXIT.usage);
  });

  it('keeps what it has when it is interrupted', async () => {
    const place = workplace();
    const ended = await place.interruptAt(/\d+\/\d+ single/, 'trial', 'single', '--json', '--jobs', '1');
    expect(ended.code).toBe(EXIT.interrupted);
    expect(JSON.parse(ended.stdout)).toMatchObject({ interrupted: true, asExpected: false });
    expect(existsSync(path.join(place.directory, 'lockpick-out', 'trial.txt'))).toBe(true);
    place.remove();
  });
});

describe('the rows of a lock', () => {
  const rowOf = async (name: string, id: string): Promise<Row | undefined> => {
    const { rows } = rowsFor(await load(name), name, undefined);
    return rows.find((row) => row.id === id);
  };

  it('are tried with the client that the lock has in production', async () => {
    expect((await rowOf('redis-lock@1.0.0', 'S1'))!.wire!.command).toBe(
      'npx lockpick run S1 --lock redis-lock@1.0.0 --set processes.transport=wire --set processes.clientPackage=redis@4',
    );
    expect((await rowOf('redlock@4.2.0', 'S1'))!.wire!.command).toBe(
      'npx lockpick run S1 --lock redlock@4.2.0 --set processes.transport=wire',
    );
  });

  it('stay off the wire where no real client has what they ask for', async () => {
    const row = await rowOf('redlock@4.2.0', 'S12');
    expect(row!.first.transport).toBe('direct');
    expect(row!.wire).toBeNull();
  });

  it('are left out where the lock does not fit, with the reason', async () => {
    const { misfits } = rowsFor(await load('single'), 'single', undefined);
    expect(misfits.find(({ scenario }) => scenario === 'R2')?.why).toContain('is a lock of one server');
    expect(await rowOf('semaphore', 'S1')).toBeUndefined();
  });

  it('say what their own settings bring about', async () => {
    expect([...(await rowOf('redlock@4.2.0', 'R9'))!.bySettings]).toEqual(['progress']);
    expect([...(await rowOf('redlock@4.2.0', 'S15'))!.bySettings]).toEqual([]);
  });

  it('are preferred where they are about the finding, then by faults, then by length', async () => {
    const seen = async (
      id: string,
      events: number,
      blame: 'library' | 'lease' = 'library',
    ): Promise<Sighting> => {
      const row = (await rowOf('redlock@4.2.0', id))!;
      return { property: 'progress', blame, reason: '', events, row, play: row.first };
    };
    const sightings = [await seen('R9', 1), await seen('S1', 5), await seen('S2', 4), await seen('B10', 900)];
    const group = grouped(sightings).get('progress/library')!;
    expect(group.map(({ row }) => row.id)).toEqual(['B10', 'S2', 'S1', 'R9']);
  });
});

describe('the exit code of a trial', () => {
  const lock: LockTrial = {
    name: 'redlock',
    rows: 1,
    misfits: [],
    unknown: [],
    judged: {},
    findings: [],
    expected: 1,
    unexpected: [],
    noWire: null,
    notDeterministic: [],
    runs: 1,
    hunted: 0,
  };
  const fault = {
    property: 'progress',
    blame: 'library',
    reason: '',
    transport: 'wire',
    scenario: 'S1',
    counterexample: null,
    command: '',
    faults: 0,
    events: 1,
    scenarios: ['S1'],
    bySettings: false,
    counts: true,
  } as const;
  const ends = (changes: Partial<LockTrial>, lost: readonly { name: string; why: string }[] = []): number =>
    exitOfTrial({ locks: [{ ...lock, ...changes }], lost, seconds: 1, interrupted: false });

  it('tells of expectations that did not come out and of reference locks at fault, not of libraries', () => {
    expect(ends({})).toBe(EXIT.asExpected);
    expect(ends({ findings: [fault] })).toBe(EXIT.violation);
    expect(ends({ name: 'redlock@4.2.0', findings: [fault] })).toBe(EXIT.asExpected);
    const otherwise = { scenario: 'S1', mismatches: [], unknownBecause: 'no such package', command: '' };
    expect(ends({ name: 'redlock@4.2.0', unexpected: [otherwise] })).toBe(EXIT.violation);
    expect(ends({}, [{ name: './a.ts', why: 'it ran for 20 s without an end' }])).toBe(EXIT.unknown);
    expect(ends({ notDeterministic: ['npx lockpick run S1'] })).toBe(EXIT.diverged);
  });
});
