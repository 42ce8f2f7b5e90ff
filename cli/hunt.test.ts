import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { inProcess } from './testing/in-process.js';
import { MY_LOCK } from './testing/lockpick.js';
import { workInWorkplace } from './testing/work-in.js';

const place = workInWorkplace();

interface HuntDocument {
  readonly runs: number;
  readonly seconds: number;
  readonly runsPerSecond: number;
  readonly missing: readonly string[];
  readonly findings: readonly {
    readonly property: string;
    readonly blame: string;
    readonly seed: number;
    readonly faults: number;
    readonly counterexample: string;
  }[];
  readonly corpus: readonly { readonly file: string; readonly status: string; readonly fails: boolean }[];
  readonly lostRuns: readonly { readonly from: number; readonly to: number; readonly loss: string }[];
  readonly asExpected: boolean;
  readonly reasons: readonly string[];
  readonly interrupted: boolean;
}

const read = (json: string): HuntDocument => JSON.parse(json) as HuntDocument;

/** Everything but what the clock says. */
function withoutTime(json: string): object {
  const { seconds, runsPerSecond, ...rest } = read(json);
  expect(seconds).toBeGreaterThan(0);
  expect(runsPerSecond).toBeGreaterThan(0);
  return rest;
}

/** A broken lock, quickly found out: two get in within a few runs. */
const BROKEN = ['--lock', 'pitfall/del-without-check', '--property', 'own-key-only', '--runs', '30'];
const QUICK = ['--lock', 'single', '--assume', 'pauses', '--property', 'exclusive-use', '--runs', '24'];

describe('a hunt', () => {
  it('finds, makes small, and keeps what replay runs; the next hunt knows it', async () => {
    const first = await inProcess(['hunt', ...BROKEN, '--jobs', '1', '--json', '--out', 'found']);
    expect(first.code).toBe(1);
    const document = read(first.stdout);
    expect(document).toMatchObject({
      format: 'lockpick/hunt@1',
      lock: 'pitfall/del-without-check',
      runs: 30,
    });
    const ours = document.findings.find(({ blame }) => blame === 'library')!;
    expect(ours).toMatchObject({
      property: 'own-key-only',
      seed: expect.any(Number),
      faults: expect.any(Number),
    });
    const groups = document.findings.map(({ property, blame }) => `${property} ${blame}`);
    expect(new Set(groups).size).toBe(groups.length);

    const replay = await inProcess(['replay', ours.counterexample, '--quiet']);
    expect(replay.stderr).toMatch(/^reproduced: own-key-only, blame library$/m);

    const again = read(
      (await inProcess(['hunt', ...BROKEN, '--runs', '1', '--jobs', '1', '--json', '--out', 'found'])).stdout,
    );
    expect(again.corpus.length).toBeGreaterThanOrEqual(document.findings.length);
    expect(new Set(again.corpus.map(({ status }) => status))).toEqual(new Set(['reproduced']));
    expect(again.corpus.find(({ file }) => file === ours.counterexample)?.fails).toBe(true);
    expect(again.reasons).toContain(`${ours.counterexample} reproduces`);
  });

  it('is the same whatever the number of threads, and cut into parts that are merged', async () => {
    const alone = await inProcess(['hunt', ...QUICK, '--jobs', '1', '--json', '--out', 'same']);
    rmSync('same', { recursive: true });
    const threads = await place.run('hunt', ...QUICK, '--jobs', '2', '--json', '--out', 'same');
    expect(threads.code).toBe(alone.code);
    expect(withoutTime(threads.stdout)).toEqual(withoutTime(alone.stdout));
    rmSync('same', { recursive: true });
    for (const shard of ['1/2', '2/2'])
      await inProcess(['hunt', ...QUICK, '--jobs', '1', '--quiet', '--out', 'same', '--shard', shard]);
    const parts = readdirSync('same').filter((name) => name.endsWith('.json'));
    const merged = await inProcess([
      'merge',
      ...parts.reverse().map((name) => `same/${name}`),
      '--json',
      '--out',
      'same',
    ]);
    expect(merged.code).toBe(alone.code);
    expect(withoutTime(merged.stdout)).toEqual(withoutTime(alone.stdout));
  });

  it('reports the smallest in full, the others in a line each with what replays them', async () => {
    const { stdout } = await inProcess(['hunt', ...BROKEN, '--jobs', '1', '--out', 'told']);
    expect(stdout).toMatch(/What led to own-key-only/);
    const lines = [...stdout.matchAll(/^ {4}npx lockpick replay (\S+)$/gm)].map(([, file]) => file!);
    expect(lines.length).toBeGreaterThan(0);
    for (const file of lines) expect(readFileSync(file, 'utf8')).toContain('lockpick/counterexample@1');
    expect(stdout).toMatch(/^Outcome {2}NOT AS EXPECTED: own-key-only violated\/library/m);
  });

  it('asks for coverage: what must have happened and never did makes it unknown', async () => {
    const { code, stdout } = await inProcess([
      'hunt',
      '--lock',
      'single',
      '--runs',
      '3',
      '--jobs',
      '1',
      '--json',
    ]);
    const { missing, reasons } = read(stdout);
    expect(missing.length).toBeGreaterThan(0);
    expect(reasons.join('\n')).toMatch(/it never happened that a promote struck while a lock was held/);
    expect(code).toBe(3);
  });

  it('inside the assumptions of the lock no blame is let pass, unless --fail-on says so', async () => {
    const bounded = [
      'hunt',
      '--lock',
      'single',
      '--assume',
      'bounded',
      '--runs',
      '40',
      '--jobs',
      '1',
      '--json',
    ];
    const all = JSON.parse((await inProcess(bounded)).stdout) as { failOn: string[] };
    expect(all.failOn).toEqual(['library', 'infrastructure', 'lease', 'usage']);
    const some = JSON.parse((await inProcess([...bounded, '--fail-on', 'lease'])).stdout) as {
      failOn: string[];
    };
    expect(some.failOn).toEqual(['lease']);
  });
});

describe('the corpus', () => {
  const hunt = (...more: string[]): ReturnType<typeof inProcess> =>
    inProcess([
      'hunt',
      ...QUICK,
      '--runs',
      '1',
      '--jobs',
      '1',
      '--json',
      '--out',
      'o',
      '--corpus',
      'corpus',
      ...more,
    ]);

  beforeAll(async () => {
    await inProcess(['run', 'S1', '--lock', 'single', '--json', '--out', 's1']);
    mkdirSync('corpus');
    cpSync('s1/S1-single-seed1.counterexample.json', 'corpus/known.json');
  });

  it('reports what no longer reproduces, and keeps it', async () => {
    const known = JSON.parse(readFileSync('corpus/known.json', 'utf8')) as { scenario: object };
    writeFileSync(
      'corpus/mended.json',
      JSON.stringify({
        ...known,
        versions: { lockpick: '0.0.1' },
        scenario: { ...known.scenario, faults: [] },
      }),
    );
    const { stdout } = await hunt();
    expect(read(stdout).corpus).toMatchObject([
      { file: 'corpus/known.json', status: 'reproduced' },
      { file: 'corpus/mended.json', status: 'no longer reproduces' },
    ]);
    expect(readdirSync('corpus')).toContain('mended.json');
    rmSync('corpus/mended.json');
  });

  it('of the same lock by the same lockpick must run the same: exit 4', async () => {
    const known = JSON.parse(readFileSync('corpus/known.json', 'utf8')) as object;
    writeFileSync('corpus/other.json', JSON.stringify({ ...known, digest: 'f'.repeat(64) }));
    const { code, stderr } = await hunt();
    expect(stderr.replace(/\s+/g, ' ')).toMatch(
      /corpus\/other\.json: the replay diverged: same lock, same lockpick/,
    );
    expect(code).toBe(4);
    rmSync('corpus/other.json');
  });

  it.each([
    [
      'of an older format',
      '{"format": "lockpick/counterexample@0"}',
      /corpus\/bad\.json:1: not a lockpick\/counterexample@1 file: its format is/,
    ],
    ['cut off', '{\n"format": "lockpick/cou', /corpus\/bad\.json:2: not JSON/],
  ])('a file %s is named: exit 2', async (_what, text, message) => {
    writeFileSync('corpus/bad.json', text);
    const { code, stderr, stdout } = await hunt();
    rmSync('corpus/bad.json');
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});

describe('what makes no sense ends with 2 and says why', () => {
  it.each([
    [['--lock', 'singel'], /unknown lock singel \(did you mean single\?\)/],
    [['--assume', 'bound'], /`bound` is no preset \(did you mean bounded\?\)/],
    [['--faults', 'pauze'], /`pauze` is no kind of fault that a hunt draws \(did you mean pause\?\)/],
    [['--faults', ''], /`` is no kind of fault/],
    [
      ['--assume', 'clocks', '--faults', 'pause'],
      /nothing is left to hunt with: --assume clocks has faults of these kinds/,
    ],
    [['--assume', 'calm', '--faults', 'pause'], /--assume calm has no faults at all/],
    [['--property', 'fencing'], /`fencing` is no property \(did you mean fencing-order\?\)/],
    [['--property', 'fencing-order'], /single cannot show fencing-order: its grants carry no fencing token/],
    [['--property', 'permits'], /single cannot show permits: it is a plain mutex/],
    [['--runs', '0'], /whole number of at least 1/],
    [['--time-limit', '60'], /a time with its unit/],
    [['--jobs', 'many'], /whole number of at least 1/],
    [['--shard', '3/2'], /Out of range: of 2 the parts are 1\/2 to 2\/2/],
    [['--shard', '0/2'], /Out of range/],
    [['--shard', '2'], /as in 2\/5/],
    [['--shard', '1/2', '--time-limit', '1s'], /--shard needs --runs and no --time-limit/],
    [['--shard', '1/2', '--queue', 'redis://x'], /--shard and --queue exclude each other/],
    [['--queue', 'redis://x', '--time-limit', '1s'], /--queue needs --runs and no --time-limit/],
    [['--runs', '2', '--shard', '1/3'], /there are only 2 runs to share/],
    [['--set', 'lock.name=redlock'], /it is --lock that names the lock/],
    [['--set', 'seed=3'], /every run has a seed of its own/],
    [['--set', 'lock.ttl=3'], /no path `lock\.ttl` in a scenario \(did you mean lock\.ttlMs\?\)/],
  ])('%j', async (words, message) => {
    const lock = words[0] === '--lock' ? [] : ['--lock', 'single'];
    const { code, stderr, stdout } = await inProcess(['hunt', ...lock, '--jobs', '1', ...words]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});

it('a lock that never gives way, or eats all memory, costs the runs that are named; the hunt goes on', async () => {
  const statement = `
    const rare = Math.random();
    if (rare < 0.005) for (;;);
    if (rare < 0.011) { const all = []; for (;;) all.push(new Array(1000).fill(rare)); }
    const value`;
  place.write('rare.ts', MY_LOCK.replace('const value', statement));
  const ended = await place.runWith(
    { LOCKPICK_WATCHDOG_MS: '1000', LOCKPICK_THREAD_MB: '64' },
    ...['hunt', '--lock', './rare.ts', '--assume', 'calm', '--property', 'quiet'],
    ...['--runs', '40', '--jobs', '1', '--json'],
  );
  expect(ended.stderr).toMatch(/^\.\/rare\.ts: run \d+ cost a thread: it ran for 1 s without an end$/m);
  expect(ended.stderr).toMatch(/^\.\/rare\.ts: run \d+ cost a thread: it ran out of memory$/m);
  const { lostRuns, runs } = read(ended.stdout);
  expect(new Set(lostRuns.map(({ loss }) => loss))).toEqual(new Set(['time', 'memory']));
  for (const { from, to } of lostRuns) expect(to).toBe(from + 1);
  expect(runs + lostRuns.length).toBe(40);
  expect(ended.code).toBe(1);
  const [, file] = /^run \d+ alone: npx lockpick run (\S+)$/m.exec(ended.stderr)!;
  expect(JSON.parse(readFileSync(file!, 'utf8'))).toMatchObject({ lock: { name: './rare.ts' } });
});

it('Ctrl-C keeps what was found: 130, and the same as a hunt of so many runs', async () => {
  const words = ['--lock', 'pitfall/constant-value', '--assume', 'calm', '--property', 'own-key-only'];
  const hunt = ['hunt', ...words, '--json', '--out', 'i', '--runs'];
  const ended = await place.interruptAt(/found own-key-only/, ...hunt, '1000000', '--jobs', '2');
  expect(ended.code).toBe(130);
  const { runs, findings, interrupted } = read(ended.stdout);
  expect(interrupted).toBe(true);
  expect(runs).toBeLessThan(1_000_000);
  rmSync('i', { recursive: true });
  const whole = read((await inProcess([...hunt, String(runs), '--jobs', '1'])).stdout);
  expect(whole.findings).toEqual(findings);
});
