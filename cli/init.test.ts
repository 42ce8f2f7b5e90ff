import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workplace, type Workplace } from './testing/lockpick.js';

let place: Workplace;
beforeAll(() => {
  place = workplace();
});
afterAll(() => place.remove());

const read = (file: string): string => readFileSync(path.join(place.directory, file), 'utf8');

function packageAt(name: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    const to = path.join(place.directory, 'node_modules', name, file);
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, text);
  }
}

describe('lockpick init', () => {
  test('writes a lock and its test, and what to do next', async () => {
    const { code, stdout } = await place.run('init');
    expect(code).toBe(0);
    expect(stdout).toContain('Written: my-lock.ts, my-lock.test.ts');
    expect(stdout).toContain('npm i -D lockpick vitest');
    expect(stdout).toContain('npx lockpick run S1 --lock ./my-lock.ts');
    expect(read('my-lock.ts')).toContain('defineLock<Redis>({');
    expect(read('my-lock.test.ts')).toContain(`new URL('./my-lock.ts', import.meta.url)`);
  });

  test('never overwrites unless it is told to', async () => {
    place.write('my-lock.ts', '// mine');
    const refused = await place.run('init');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('my-lock.ts and my-lock.test.ts are there already');
    expect(read('my-lock.ts')).toBe('// mine');
    expect((await place.run('init', '--force')).code).toBe(0);
    expect(read('my-lock.ts')).toContain('defineLock<Redis>');
  });

  test('JavaScript has no types in it, and goes where it is told to', async () => {
    const { code, stdout } = await place.run('init', 'deep/er', '--js');
    expect(code).toBe(0);
    expect(stdout).toContain('cd deep/er\n');
    const text = read('deep/er/my-lock.js');
    expect(text).not.toMatch(/interface|@@|<Redis>|]!/);
    // With the types taken away both are the same program.
    expect(text.replace(/\s+/g, '')).toBe(stripped(read('my-lock.ts')).replace(/\s+/g, ''));
  });

  test('a directory that can’t be made is bad usage', async () => {
    place.write('file', '');
    expect(await place.run('init', 'file/below')).toMatchObject({ code: 2 });
  });
});

describe('a lock outside the repository', () => {
  test('imports packages of its own, CommonJS and ESM', async () => {
    packageAt('lockpick', {
      'package.json': '{"name":"lockpick","main":"index.js"}',
      'index.js': `exports.defineLock = (lock) => lock; exports.NotAcquired = class extends Error { name = 'NotAcquired' };`,
    });
    packageAt('old-style', {
      'package.json': '{"name":"old-style","version":"1.0.0","main":"main.js"}',
      'main.js': `let calls = 0; exports.value = () => require('node:crypto').randomUUID() + ++calls;`,
    });
    packageAt('new-style', {
      'package.json': '{"name":"new-style","type":"module","exports":"./main.mjs"}',
      'main.mjs': `export const factor = 0.99;`,
    });
    const text = read('my-lock.ts')
      .replace(
        `import { randomUUID } from 'node:crypto';`,
        `import { value as make } from 'old-style';\nimport { factor } from 'new-style';`,
      )
      .replace('randomUUID()', 'make()')
      .replace('ttlMs * 0.99', 'ttlMs * factor');
    place.write('own.ts', text);
    const ran = await place.run('run', 'S1', '--lock', './own.ts', '--json');
    expect(ran.stderr).toContain('no violation with a blame in --fail-on');
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ lock: './own.ts', asExpected: true });
  });

  test('names a package that is not there', async () => {
    place.write('lacks.ts', `import 'not-there';\n${read('my-lock.ts')}`);
    const { code, stderr } = await place.run('run', 'S1', '--lock', './lacks.ts');
    expect(code).toBe(2);
    expect(stderr).toContain('npm i -D not-there');
  });
});

/** What the compiler leaves of TypeScript. */
function stripped(text: string): string {
  return text
    .replace(/\n\/\*\* What this lock needs[^]*?\n}\n/, '')
    .replace('<Redis>', '')
    .replace(']!', ']');
}
