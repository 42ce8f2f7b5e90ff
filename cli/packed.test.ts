/**
 * The package as a stranger gets it: packed by npm, unpacked beside the dependencies it declares and nothing else, in a project that has
 * a lock of its own.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  exports: Record<string, string | { types: string; default: string }>;
};

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(directory: string, command: string, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
  // What this test run tells its own processes is nothing to a stranger's.
  for (const name of Object.keys(env))
    if (/^(VITEST|npm_|NODE_OPTIONS$|LOCKPICK_)/.test(name)) Reflect.deleteProperty(env, name);
  return new Promise((resolve) => {
    execFile(command, args, { cwd: directory, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 70;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

let place: string;
let project: string;
let packed: readonly string[];

const inProject = (...args: string[]): Promise<Ended> => run(project, process.execPath, ...args);
const lockpick = (...args: string[]): Promise<Ended> =>
  inProject(path.join('node_modules', 'lockpick', 'cli', 'lockpick.mjs'), ...args);
const vitest = (...args: string[]): Promise<Ended> =>
  inProject(path.join('node_modules', 'vitest', 'vitest.mjs'), 'run', ...args);

/** Builds in a copy, so that nobody who runs dist/ meanwhile loses it. */
async function pack(): Promise<string> {
  const checkout = path.join(place, 'checkout');
  for (const name of [
    '.config',
    'src',
    'sim',
    'properties',
    'reports',
    'cli',
    'docs',
    'package.json',
    'tsconfig.json',
    'README.md',
    'LICENSE',
  ])
    cpSync(path.join(root, name), path.join(checkout, name), { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'), 'junction');
  const built = await run(checkout, process.execPath, '.config/build.mjs', 'types');
  expect(built, built.output).toMatchObject({ code: 0 });
  const made = await run(checkout, 'npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', place);
  expect(made.code, made.output).toBe(0);
  const [{ filename, files }] = JSON.parse(made.output.slice(made.output.indexOf('['))) as [
    { filename: string; files: { path: string }[] },
  ];
  packed = files.map((file) => file.path);
  return path.join(place, filename);
}

/** What `npm install` would do, without a registry: the tarball, and the declared dependencies from this checkout. */
async function install(tarball: string): Promise<void> {
  const modules = path.join(project, 'node_modules');
  mkdirSync(path.join(modules, 'lockpick'), { recursive: true });
  const unpacked = await run(
    place,
    'tar',
    '-xzf',
    tarball,
    '-C',
    path.join(modules, 'lockpick'),
    '--strip-components=1',
  );
  expect(unpacked.code, unpacked.output).toBe(0);
  for (const name of [...Object.keys(manifest.dependencies), 'vitest', '@types/node', 'typescript']) {
    mkdirSync(path.dirname(path.join(modules, name)), { recursive: true });
    symlinkSync(path.join(root, 'node_modules', name), path.join(modules, name), 'junction');
  }
  writeFileSync(
    path.join(project, 'package.json'),
    '{ "name": "stranger", "private": true, "type": "module" }\n',
  );
}

beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'lockpick-packed-'));
  project = path.join(place, 'stranger');
  mkdirSync(project);
  await install(await pack());
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const edit = (file: string, change: (text: string) => string): void => {
  const to = path.join(project, file);
  writeFileSync(to, change(readFileSync(to, 'utf8')));
};

describe('the package', () => {
  test('holds what runs and what explains it, and nothing else', () => {
    const tops = new Set(packed.map((file) => file.split('/')[0]!));
    expect([...tops].sort()).toEqual([
      'LICENSE',
      'README.md',
      'cli',
      'dist',
      'docs',
      'package.json',
      'sim',
      'src',
    ]);
    expect(packed.filter((file) => /\.test\.|\/testing\/|^dist\/.*bench|snapshots/.test(file))).toEqual([]);
    expect(packed.filter((file) => file.startsWith('cli/'))).toEqual(['cli/lockpick.mjs']);
    for (const door of Object.values(manifest.exports))
      for (const file of typeof door === 'string' ? [door] : [door.types, door.default])
        expect(packed).toContain(file.slice(2));
  });

  test('the starter of `lockpick init` is green, as it stands', async () => {
    const { code, output } = await lockpick('init');
    expect(code, output).toBe(0);
    expect(output).not.toContain('npm i -D');
    edit('my-lock.test.ts', (text) => text.replace('runs: 1000', 'runs: 300'));
    const ran = await lockpick('run', 'S1', '--lock', './my-lock.ts', '--quiet');
    expect(ran.code, ran.output).toBe(0);
    const tested = await vitest('my-lock.test.ts');
    expect(tested.output).toMatch(/Tests +2 passed/);
    expect(tested.code).toBe(0);
    expect(existsSync(path.join(project, 'lockpick-out', 'corpus'))).toBe(false);
  });

  test('the compiler knows what it exports', async () => {
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
    ];
    const checked = await inProject(
      path.join('node_modules', 'typescript', 'bin', 'tsc'),
      ...options,
      'my-lock.ts',
      'my-lock.test.ts',
    );
    expect(checked.output).toBe('');
    expect(checked.code).toBe(0);
  });

  test('a lock that deletes without a check is red, with a file that replays it; mended it is green', async () => {
    const sound = readFileSync(path.join(project, 'my-lock.ts'), 'utf8');
    edit('my-lock.ts', (text) =>
      text.replace(
        /await redis\.eval\(RELEASE.*?\)\)/,
        'await redis.eval(`return redis.call("del", KEYS[1])`, 1, resource))',
      ),
    );
    expect(readFileSync(path.join(project, 'my-lock.ts'), 'utf8')).not.toBe(sound);
    edit('my-lock.test.ts', (text) => text.replace('runs: 300', `runs: 50, assume: 'pauses'`));
    const tested = await vitest('my-lock.test.ts', '-t', 'no mistake');
    expect(tested.code).toBe(1);
    expect(tested.output).toContain('blame library');
    const file = /npx lockpick replay (\S+\.counterexample\.json)/.exec(tested.output)![1]!;
    const replayed = await lockpick('replay', file, '--quiet');
    expect(replayed.code, replayed.output).toBe(1);
    expect(replayed.output).toMatch(/reproduced: \S+, blame library/);
    writeFileSync(path.join(project, 'my-lock.ts'), sound);
    const mended = await lockpick('replay', file, '--quiet');
    expect(mended.output).toContain('fixed');
    expect(mended.code).toBe(0);
    expect(readdirSync(path.join(project, 'lockpick-out')).length).toBeGreaterThan(1);
  });
});
