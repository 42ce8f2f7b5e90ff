import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCounterexample, readHistory } from '../sim/history/file.js';
import { digest } from '../sim/history/digest.js';
import { MY_LOCK, workplace, type Ended, type Workplace } from './testing/lockpick.js';

let place: Workplace;
beforeAll(() => {
  place = workplace();
});
afterAll(() => {
  place.remove();
});

interface RunDocument {
  format: string;
  verdicts: Record<string, { verdict: string; blame?: string }>;
  asExpected: boolean;
  digest: string;
  history: string;
  counterexample: string | null;
  events: number;
  command: string;
}

const document = ({ stdout }: Ended): RunDocument => JSON.parse(stdout) as RunDocument;
const inPlace = (file: string): string => path.join(place.directory, file);

describe('lockpick run', () => {
  it('prints one document with --json, keeps the history, and replays what it found', async () => {
    const first = await place.run('run', 'S1', '--lock', 'single', '--json');
    expect(first.code).toBe(0);
    const { verdicts, digest: found, history, counterexample, ...rest } = document(first);
    expect(rest).toMatchObject({
      format: 'lockpick/run@1',
      scenario: 'S1',
      lock: 'single',
      asExpected: true,
    });
    expect(verdicts['exclusive-use']).toMatchObject({ verdict: 'violated', blame: 'lease' });
    expect(digest(readHistory(inPlace(history)))).toBe(found);
    expect(readCounterexample(inPlace(counterexample!))).toMatchObject({
      digest: found,
      lock: { name: 'single' },
    });

    const again = await place.run('replay', counterexample!, '--json');
    expect(again.code).toBe(1);
    expect(document(again)).toMatchObject({
      digest: found,
      asExpected: false,
      replay: { status: 'reproduced' },
    });
    expect(readdirSync(inPlace('lockpick-out')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('has the same digest in two processes', async () => {
    const [a, b] = await Promise.all([
      place.run('run', 'S8', '--seed', '7', '--json'),
      place.run('run', 'S8', '--seed', '7', '--json', '--out', 'other'),
    ]);
    expect(document(a).digest).toBe(document(b).digest);
    expect(document(a).digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes the scenario with --set, and then asks --fail-on instead of the catalogue', async () => {
    const fenced = await place.run('run', 'S1', '--set', 'resource.fenced=true', '--json');
    expect(document(fenced)).toMatchObject({ expectation: 'fail-on', settings: ['resource.fenced=true'] });
    expect(document(fenced).verdicts['no-stale-write']?.verdict).not.toBe('violated');
    expect(fenced.code).toBe(0);
    const strict = await place.run('run', 'S1', '--set', 'lock.ttlMs=999', '--fail-on', 'lease', '--quiet');
    expect(strict.code).toBe(1);
    expect(strict.stdout).toMatch(/NOT AS EXPECTED: .*violated\/lease/);
  });

  it('prints a command that works as pasted', async () => {
    const { stdout } = await place.run('run', 'S1');
    const command = /^Replay {3}npx lockpick (.*)$/m.exec(stdout)![1]!;
    expect((await place.run(...command.split(' '), '--quiet')).code).toBe(1);
  });

  it('runs a file and a lock module of the user’s own', async () => {
    place.write('mine.json', JSON.stringify({ id: 'mine', processes: { count: 2 } }));
    place.write('my-lock.ts', MY_LOCK);
    const ended = await place.run('run', './mine.json', '--lock', './my-lock.ts', '--json');
    expect(document(ended)).toMatchObject({ scenario: 'mine', lock: './my-lock.ts', expectation: 'fail-on' });
    expect(ended.code).toBe(0);
  });

  it('replays a changed lock afresh', async () => {
    place.write('bad-lock.ts', MY_LOCK.replace("'NX'", "'XX'.replace('XX', 'GET')"));
    place.write('two.json', JSON.stringify({ id: 'two', workload: { workMs: 50 } }));
    const broken = await place.run('run', './two.json', '--lock', './bad-lock.ts', '--json');
    expect(broken.code).toBe(1);
    const file = document(broken).counterexample!;
    place.write('bad-lock.ts', MY_LOCK);
    const fixed = await place.run('replay', file);
    expect(fixed.stderr).toMatch(/^fixed: .* \(the lock is another than then\)/m);
    expect(fixed.code).toBe(0);
  });
});

describe('locks that do not come to an end', () => {
  it('one that never settles is a violation', async () => {
    place.write('never.ts', MY_LOCK.replace('const value', 'await new Promise(() => {}); const value'));
    const { code, stdout } = await place.run('run', 'C1', '--lock', './never.ts', '--quiet');
    expect(stdout).toMatch(/settles: expected not violated, found violated\/library/);
    expect(code).toBe(1);
  });

  it('a loop without end is broken off, and its place named', async () => {
    place.write('hot.ts', MY_LOCK.replace('const value', 'for (;;);\nconst value'));
    const { code, stderr } = await place.runWith(
      { LOCKPICK_WATCHDOG_MS: '3000' },
      ...['run', 'C1', '--lock', './hot.ts', '--json'],
    );
    expect(stderr).toMatch(/hot\.ts: a hot loop: .*in acquire, hot\.ts:\d+/);
    expect(code).toBe(1);
  });

  it('says where a loop is that awaits and never gives way', async () => {
    place.write('awaits.ts', MY_LOCK.replace('const value', 'for (;;) await null;\nconst value'));
    const { code, stderr } = await place.runWith(
      { LOCKPICK_WATCHDOG_MS: '3000' },
      ...['run', 'C1', '--lock', './awaits.ts', '--json'],
    );
    expect(stderr).toMatch(/awaits\.ts: a hot loop: .*in acquire, awaits\.ts:\d+/);
    expect(code).toBe(1);
  });
});

describe('lockpick matrix', () => {
  it('runs what was asked for and prints one document', async () => {
    const ended = await place.run(
      'matrix',
      'C1',
      'S1',
      '--lock',
      'single',
      '--lock',
      'redlock',
      '--json',
      '--out',
      'm',
    );
    const result = JSON.parse(ended.stdout) as { cells: { scenario: string; lock: string }[] };
    expect(result).toMatchObject({ format: 'lockpick/matrix@1', asExpected: true, unexpected: 0, runs: 4 });
    expect(result.cells.map(({ scenario, lock }) => `${scenario} ${lock}`)).toEqual([
      'C1 single',
      'C1 redlock',
      'S1 single',
      'S1 redlock',
    ]);
    expect(readdirSync(inPlace('m')).sort()).toEqual([
      'S1-redlock-seed1.history.jsonl',
      'S1-single-seed1.history.jsonl',
    ]);
    expect(ended.code).toBe(0);
  });

  it('keeps what it has when it is interrupted, and exits with 130', async () => {
    const ended = await place.interruptAt(/\d+\/\d+ S\d/, 'matrix', '--json', '--out', 'i');
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({ interrupted: true });
  });
});

describe('lockpick list', () => {
  it('lists scenarios, locks, properties and faults', async () => {
    const { code, stdout } = await place.run('list', '--json');
    const listed = JSON.parse(stdout) as Record<string, { id?: string; name?: string }[]>;
    expect(code).toBe(0);
    expect(listed['scenarios']!.map(({ id }) => id)).toContain('S1');
    expect(listed['locks']!.map(({ name }) => name)).toContain('redlock@4.2.0');
    expect(listed['properties']!.map(({ id }) => id)).toContain('no-stale-write');
    expect(listed['faults']!.map(({ id }) => id)).toContain('step-clock');
  });

  it('helps on stdout with 0', async () => {
    const { code, stdout } = await place.run('run', '--help');
    expect(code).toBe(0);
    expect(stdout).toContain('Examples:');
    expect(existsSync(inPlace('nowhere'))).toBe(false);
    expect(readFileSync(inPlace('mine.json'), 'utf8')).toContain('mine');
  });
});
