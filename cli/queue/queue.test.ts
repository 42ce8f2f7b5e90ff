/** A hunt shared out through a real Redis to workers that are processes of their own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedis, whyNoRedis, type RealRedis } from '../../src/testing/real-redis.js';
import { inProcess } from '../testing/in-process.js';
import { workplace, type Workplace } from '../testing/lockpick.js';

const BIN = fileURLToPath(new URL('../lockpick.mjs', import.meta.url));
const HUNT = ['hunt', '--lock', 'single', '--assume', 'pauses', '--property', 'mutual-exclusion', '--runs'];

/** A claim that ends soon: what a dead worker had is given to another after so many milliseconds. */
const CLAIM = { LOCKPICK_QUEUE_CLAIM_MS: '1500', LOCKPICK_PROGRESS_MS: '0', NO_COLOR: '1' };

interface WorkerProcess {
  readonly child: ChildProcess;
  stderr: string;
  /** Resolves when it has said what matches. */
  says(pattern: RegExp): Promise<void>;
  readonly ended: Promise<number | null>;
}

function startWorker(url: string, cwd: string): WorkerProcess {
  const args = [BIN, 'work', '--queue', url, '--jobs', '1'];
  const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...CLAIM } });
  const waiting: { pattern: RegExp; resolve: () => void }[] = [];
  const worker: WorkerProcess = {
    child,
    stderr: '',
    says: (pattern) =>
      new Promise((resolve) => {
        if (pattern.test(worker.stderr)) resolve();
        else waiting.push({ pattern, resolve });
      }),
    ended: new Promise((resolve) => child.on('exit', resolve)),
  };
  child.stderr.on('data', (chunk: Buffer) => {
    worker.stderr += chunk.toString();
    for (const { pattern, resolve } of waiting) if (pattern.test(worker.stderr)) resolve();
  });
  return worker;
}

const missing = whyNoRedis();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`a queue on a real Redis${skipped}`, () => {
  let redis: RealRedis;
  let place: Workplace;
  const before = process.cwd();
  beforeAll(async () => {
    redis = await startRedis();
    place = workplace();
    process.chdir(place.directory);
  });
  afterAll(async () => {
    process.chdir(before);
    place.remove();
    await redis.stop();
  });

  it('three workers, one killed in the midst of a range, find what one machine finds', async () => {
    const workers = [1, 2, 3].map(() => startWorker(redis.url, place.directory));
    const victim = workers[0]!;
    const survivors = workers.slice(1);
    try {
      await Promise.all(workers.map((worker) => worker.says(/at work on/)));
      const killed = victim.says(/begin$/m).then(() => victim.child.kill('SIGKILL'));
      const shared = await inProcess([
        ...HUNT,
        '240',
        '--queue',
        redis.url,
        '--json',
        '--out',
        'q',
        '--corpus',
        'c',
      ]);
      expect(await killed).toBe(true);
      const alone = await inProcess([...HUNT, '240', '--jobs', '1', '--json', '--out', 'q', '--corpus', 'd']);
      expect(shared.code).toBe(alone.code);
      expect(withoutTime(shared.stdout, 'c')).toEqual(withoutTime(alone.stdout, 'd'));
      // The range of the dead one was really run again, by one of the others.
      expect(survivors.map(({ stderr }) => stderr).join('')).toMatch(/its worker is gone, it is run again/);
    } finally {
      for (const { child } of survivors) child.kill('SIGINT');
      victim.child.kill('SIGKILL');
    }
    expect(await Promise.all(survivors.map(({ ended }) => ended))).toEqual([130, 130]);
  });

  it('settings that a scenario does not take end with 2, as on one machine', async () => {
    const worker = startWorker(redis.url, place.directory);
    try {
      await worker.says(/at work on/);
      const hunt = [
        'hunt',
        '--lock',
        'single',
        '--set',
        'servers.maxMemory=0',
        '--runs',
        '300',
        '--out',
        'r',
      ];
      const { code, stderr } = await inProcess([...hunt, '--queue', redis.url]);
      expect(stderr).toMatch(/nothing is evicted without a limit/);
      expect(code).toBe(2);
    } finally {
      worker.child.kill('SIGINT');
    }
    expect(await worker.ended).toBe(130);
  });
});

describe('a queue that is none', () => {
  it.each([
    [
      'nobody there',
      'redis://127.0.0.1:1',
      /the queue redis:\/\/127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED/,
    ],
    [
      'a password kept to itself',
      'redis://me:secret@127.0.0.1:1',
      /the queue redis:\/\/me:\*\*\*@127\.0\.0\.1:1 cannot/,
    ],
    ['no Redis', 'http://127.0.0.1', /--queue http:\/\/127\.0\.0\.1: a queue is a Redis, .* not http:/],
    ['no address', 'here', /--queue here: not an address, as in redis:/],
  ])('%s: exit 2', async (_what, url, message) => {
    for (const words of [[...HUNT, '10'], ['work']]) {
      const { code, stdout, stderr } = await inProcess([...words, '--queue', url]);
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('secret');
      expect(code).toBe(2);
      expect(stdout).toBe('');
    }
  });
});

/** The document but for what the clock says and where the corpus is. */
function withoutTime(json: string, corpus: string): object {
  const { seconds, runsPerSecond, ...rest } = JSON.parse(json.replaceAll(`"${corpus}/`, '"corpus/')) as {
    seconds: number;
    runsPerSecond: number;
  };
  expect(seconds).toBeGreaterThan(0);
  expect(runsPerSecond).toBeGreaterThan(0);
  return rest;
}
