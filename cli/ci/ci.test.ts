import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { githubAnnotations } from '../../reports/ci/github.js';
import { junitReport } from '../../reports/ci/junit.js';
import type { CiCase } from '../../reports/ci/model.js';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { inProcess } from '../testing/in-process.js';
import { MY_LOCK, workplace, type Workplace } from '../testing/lockpick.js';
import { casesOfHunt, casesOfTrial } from './cases.js';
import { lineOf } from './place.js';

let out: string;
let place: Workplace;
beforeAll(() => {
  out = mkdtempSync(path.join(tmpdir(), 'lockpick-ci-'));
  place = workplace();
});
afterAll(() => {
  rmSync(out, { recursive: true, force: true });
  place.remove();
});

const DEL = MY_LOCK.replace(/await redis\.eval\(.*/, 'await redis.del(resource);');
const RELEASE_LINE = DEL.split('\n').findIndex((line) => line.includes('async release()')) + 1;

/** Nothing goes wrong in it by itself. */
const CROWD: ScenarioInput = {
  id: 'crowd',
  lock: { ttlMs: 60 },
  servers: { count: 1 },
  network: { latencyMs: 1 },
  workload: { workMs: 30 },
};

const CASES: readonly CiCase[] = [
  { suite: 'S1', name: 'a', result: 'passed', message: '' },
  { suite: 'S1', name: 'b', result: 'skipped', message: '' },
  {
    suite: 'S1',
    name: 'c',
    result: 'failed',
    message: '50 % <late>\nand\u0000so',
    command: 'npx lockpick run S1',
    place: { file: 'a,b.ts', line: 7 },
  },
  { suite: 'S2', name: 'd', result: 'unknown', message: 'nobody ever got the lock' },
];

describe('renderers', () => {
  test('junit: failures, errors and skips, well-formed whatever a lock says', () => {
    const xml = junitReport('lockpick run', CASES);
    expect(xml).toContain('<testsuites tests="4" failures="1" errors="1" skipped="1">');
    expect(xml).toContain(
      '<testsuite name="lockpick run: S1" tests="3" failures="1" errors="0" skipped="1">',
    );
    expect(xml).toMatch(/message="50 % &lt;late(>|&gt;)(\n|&#xA;|&#10;)and\ufffdso"/);
    expect(xml).toContain('file="a,b.ts:7"');
    expect(xml).toContain('again: npx lockpick run S1');
    expect(xml).toMatch(/<error [^>]*message="nobody ever got the lock"/);
    expect(junitReport('lockpick run', CASES)).toBe(xml);
  });

  test('github: what failed at its line, escaped as the runner wants it', () => {
    expect(githubAnnotations('lockpick run', CASES)).toBe(
      '::error file=a%2Cb.ts,line=7,title=lockpick run%3A S1%3A c::50 %25 <late>%0Aand\u0000so%0Aagain: npx lockpick run S1\n' +
        '::warning title=lockpick run%3A S2%3A d::nobody ever got the lock',
    );
    expect(githubAnnotations('lockpick run', CASES.slice(0, 2))).toBe(null);
  });
});

describe('the line', () => {
  test('is where the operation is written, not where it is called or told of', () => {
    expect(lineOf('// acquire(x)\nawait redis.acquire(a)\n  async acquire(resource) {', 'acquire')).toBe(3);
    expect(lineOf('return { release: () => 1 }', 'release')).toBe(1);
    expect(lineOf('const x = 1;\nconst release = async () => {};', 'release')).toBe(2);
    expect(lineOf('await release();\nlock.release(1);', 'release')).toBe(undefined);
  });
});

describe('--reporter', () => {
  test('run: the annotation is at the release that is to blame; the document stays alone on stdout', async () => {
    place.write('mine.mjs', DEL);
    const args = ['run', 'S8', '--lock', './mine.mjs', '--reporter', 'github', '--reporter', 'junit'];
    const plain = await place.run(...args);
    expect(plain.code).toBe(1);
    expect(plain.stdout).toContain(
      `::error file=mine.mjs,line=${RELEASE_LINE},title=lockpick run%3A S8 × ./mine.mjs%3A own-key-only::`,
    );
    const xml = readFileSync(path.join(place.directory, 'lockpick-out', 'run.junit.xml'), 'utf8');
    expect(xml).toContain(`file="mine.mjs:${RELEASE_LINE}"`);
    expect(xml).toMatch(/again: npx lockpick replay \S+counterexample.json/);
    const { stdout, stderr } = await place.runWith(
      { GITHUB_WORKSPACE: path.dirname(place.directory) },
      ...args,
      '--json',
    );
    expect(JSON.parse(stdout)).toMatchObject({ format: 'lockpick/run@1' });
    expect(stderr).toContain(`::error file=${path.basename(place.directory)}/mine.mjs,line=${RELEASE_LINE},`);
  });

  test('matrix: a case for each cell', async () => {
    const { code } = await inProcess([
      'matrix',
      'S1',
      'S8',
      '--lock',
      'single',
      '--quiet',
      '--out',
      out,
      '--reporter',
      'junit',
    ]);
    expect(code).toBe(0);
    const xml = readFileSync(path.join(out, 'matrix.junit.xml'), 'utf8');
    expect(xml).toContain('<testsuites tests="2" failures="0" errors="0" skipped="0">');
    expect(xml).toContain('<testcase classname="S8" name="single"');
  });

  test('merge: reports the whole as one machine would', async () => {
    const parts = ['1/2', '2/2'].map((shard) => ({ shard, dir: path.join(out, shard.replace('/', '-')) }));
    for (const { shard, dir } of parts)
      await inProcess(['matrix', 'S1', 'S8', '--lock', 'single', '--quiet', '--shard', shard, '--out', dir]);
    const files = parts.flatMap(({ dir }) =>
      readdirSync(dir)
        .filter((name) => name.endsWith('.json'))
        .map((name) => path.join(dir, name)),
    );
    const whole = path.join(out, 'whole');
    const { code } = await inProcess(['merge', ...files, '--quiet', '--out', whole, '--reporter', 'junit']);
    expect(code).toBe(0);
    expect(readFileSync(path.join(whole, 'matrix.junit.xml'), 'utf8')).toContain(
      '<testsuites tests="2" failures="0"',
    );
  });

  test('hunt: a case for each finding that counts', async () => {
    const args = [
      'hunt',
      '--lock',
      'pitfall/del-without-check',
      '--assume',
      'pauses',
      '--property',
      'own-key-only',
    ];
    const { code, stdout } = await inProcess([
      ...args,
      '--runs',
      '40',
      '--jobs',
      '1',
      '--quiet',
      '--out',
      out,
      '--reporter',
      'github',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /::error title=lockpick hunt%3A hunt × pitfall\/del-without-check%3A own-key-only \(key deleted\)::violated, blame library: /,
    );
    const facts = { lock: 'single', runs: 9, failOn: ['library'], findings: [] } as const;
    expect(casesOfHunt({ ...facts, outcome: { exitCode: 0, reasons: [] } })).toEqual([
      { suite: 'hunt × single', name: '9 runs', result: 'passed', message: '' },
    ]);
    expect(casesOfHunt({ ...facts, outcome: { exitCode: 3, reasons: ['it never happened'] } })).toMatchObject(
      [{ result: 'unknown', message: 'it never happened' }],
    );
  });

  test('explore: a case for each property and blame that counts, with the schedule and its file', async () => {
    place.write('mine.mjs', DEL);
    place.write('crowd.json', JSON.stringify(CROWD));
    const args = [
      'explore',
      './crowd.json',
      '--lock',
      './mine.mjs',
      '--faults',
      'pause',
      '--quiet',
      '--jobs',
      '1',
    ];
    const { code, stdout } = await place.run(...args, '--reporter', 'github', '--reporter', 'junit');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      new RegExp(
        `^::error file=mine.mjs,line=${RELEASE_LINE},title=lockpick explore%3A crowd × ./mine.mjs%3A own-key-only \\(library\\)` +
          '::violated, blame library: .* \\(p\\d pauses for .*\\)%0Aagain: npx lockpick replay \\S+.counterexample.json$',
        'm',
      ),
    );
    const xml = readFileSync(path.join(place.directory, 'lockpick-out', 'explore.junit.xml'), 'utf8');
    // The exploration itself is complete.
    expect(xml).toMatch(/<testcase classname="crowd × .\/mine.mjs" name="\d+ schedules"\/>/);
    expect(xml).toMatch(/name="own-key-only \(library\)" file="mine.mjs:\d+">\s+<failure /);
    expect(xml).not.toContain('(lease)');
  });

  test('explore: green where nothing that counts is violated, unknown where it is not complete', async () => {
    const args = ['explore', 'S1', '--faults', 'pause', '--quiet', '--jobs', '1', '--out', out];
    const green = await inProcess([...args, '--reporter', 'junit', '--reporter', 'github']);
    expect(green.code).toBe(0);
    expect(green.stdout).not.toContain('::');
    const file = path.join(out, 'explore.junit.xml');
    expect(readFileSync(file, 'utf8')).toContain(
      '<testsuites tests="1" failures="0" errors="0" skipped="0">',
    );
    const cut = await inProcess([...args, '--time-limit', '1ms', '--reporter', 'github', '--json']);
    expect(cut.code).toBe(3);
    expect(cut.stderr).toContain(
      '::warning title=lockpick explore%3A S1 × single%3A 1 schedule::no violation so far: not complete',
    );
    expect(JSON.parse(cut.stdout)).toMatchObject({ format: 'lockpick/explore@1', complete: false });
  });

  test('trial: rows that came out otherwise, and locks that could not be tried', () => {
    const lock = { name: 'x@1', notDeterministic: [] };
    const row = { scenario: 'B01', unknownBecause: null, command: 'npx lockpick run B01' };
    const mismatches = [{ property: 'quiet', expected: 'holds', found: 'violated/library' }];
    const cases = casesOfTrial(
      [{ ...lock, unexpected: [{ ...row, mismatches }] }],
      [{ name: 'y', why: 'crashed' }],
    );
    expect(cases.map(({ suite, name, result }) => [suite, name, result])).toEqual([
      ['x@1', 'deterministic', 'passed'],
      ['x@1', 'B01', 'failed'],
      ['y', 'trial', 'unknown'],
    ]);
  });

  test('an unknown one is refused with the nearest', async () => {
    const { code, stderr } = await inProcess(['run', 'S1', '--reporter', 'junti']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean junit?');
  });
});
