import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleLock } from './bundle.js';
import type { LockModuleError } from './errors.js';
import { instantiate } from './instance.js';
import { TestProcess, bundleText, inMacrotask, removeScratch, writeProgram } from './testing.js';

afterAll(removeScratch);

const env = { clients: [], endpoints: [], options: {} };
const LOCK = `{ name: 'mine', servers: 1, connect: () => ({ acquire: async () => ({ release: async () => {} }) }) }`;

const LOCK_OF_DEP = `import { at } from 'dep'; import part from 'dep/part';
  export default { name: at + ' ' + part, servers: 1, connect: () => ({}) };`;

async function load(directory: string, entry: string, from?: string) {
  const bundle = await bundleLock(path.join(directory, entry), { from });
  return inMacrotask(() => instantiate(bundle, new TestProcess()));
}

async function problemOf(work: Promise<unknown>): Promise<LockModuleError> {
  const error: unknown = await work.then(
    () => new Error('nothing was wrong'),
    (reason: unknown) => reason,
  );
  expect((error as Error).name).toBe('LockModuleError');
  return error as LockModuleError;
}

describe('languages', () => {
  const programs: Record<string, string> = {
    'lock.ts': `import { defineLock, type Grant } from 'lockpick';
      enum Kind { A = 'mine' }
      export default defineLock({ name: Kind.A, servers: 1, connect: () => ({ acquire: async (): Promise<Grant> => ({ async release() {} }) }) });`,
    'lock.mjs': `import { createHash } from 'node:crypto'; import * as util from 'util';
      export const other = util.inspect(createHash); export default ${LOCK};`,
    'lock.cjs': `const { createHash } = require('node:crypto'); module.exports = ${LOCK};`,
    'default.cjs': `exports.default = ${LOCK};`,
    'awaits.mjs': `import { setTimeout as wait } from 'node:timers/promises'; import fs from 'node:fs';
      const later = await Promise.resolve(${LOCK}); await null; export const kind = typeof wait + typeof fs.readFileSync; export default later;`,
    'awaits.ts': `const name: string = await Promise.resolve('mine'); export default { ...${LOCK}, name };`,
  };
  for (const [name, text] of Object.entries(programs)) {
    it(name, async () => {
      const bundle = await bundleText(text, name);
      const instance = await inMacrotask(() => instantiate(bundle, new TestProcess()));
      expect(instance.definition.name).toBe('mine');
      expect(bundle.isAsync).toBe(name.startsWith('awaits'));
      expect(bundle.entry).toBe(name);
    });
  }

  it('bundles packages, files of the program, JSON and literal imports', async () => {
    const directory = await writeProgram({
      'package.json': '{"name": "user"}',
      'lock.ts': `import helper from './lib/helper'; import data from './data.json';
        export default { name: data.name, servers: 1, connect: () => ({ acquire: async () => helper(), lazy: () => import('./lazy') }) };`,
      'lib/helper.ts': `import { answer } from 'dep'; export default () => answer;`,
      'lazy.ts': `export const late = 'lazy';`,
      'data.json': '{"name": "from json"}',
      'node_modules/dep/package.json': '{"name": "dep", "version": "1.0.0", "main": "main.js"}',
      'node_modules/dep/main.js': `exports.answer = 42;`,
    });
    const instance = await load(directory, 'lock.ts');
    expect(instance.definition.name).toBe('from json');
    const lock = instance.definition.connect(env) as unknown as Record<string, () => Promise<unknown>>;
    expect(await lock['acquire']?.()).toBe(42);
    expect(await lock['lazy']?.()).toMatchObject({ late: 'lazy' });
  });
});

describe('paths', () => {
  const FILES = {
    'package.json': '{"name": "user"}',
    'src/lock.ts': `import fs from 'node:fs'; import dep from 'dep';
      export default { name: 'x', servers: 1, connect: () => ({ paths: () => [import.meta.url, dep.dir, dep.text, dep.again,
        fs.existsSync('/etc/passwd'), fs.existsSync('/sealed/../etc/passwd'), fs.existsSync('/sealed/package.json')] }) };`,
    'node_modules/dep/package.json': '{"name": "dep", "version": "1.0.0"}',
    'node_modules/dep/index.js': `const fs = require('fs'); const path = require('path');
      module.exports = { dir: __dirname, text: fs.readFileSync(path.join(__dirname, 'lua', 'a.lua'), 'utf8'),
        again: fs.readFileSync(require('path').join(path.dirname(__filename), 'lua/a.lua')).length };`,
    'node_modules/dep/lua/a.lua': 'return 1',
  };

  it('each file has a path of its own, and a package reads its own files', async () => {
    const directory = await writeProgram(FILES);
    const instance = await load(directory, 'src/lock.ts');
    const lock = instance.definition.connect(env) as unknown as { paths: () => unknown };
    expect(lock.paths()).toEqual([
      'file:///sealed/src/lock.ts',
      '/sealed/node_modules/dep',
      'return 1',
      8,
      false,
      false,
      true,
    ]);
  });

  it('the hash is the same in every directory, also for packages found elsewhere', async () => {
    const [here, there] = [await writeProgram(FILES), await writeProgram(FILES)];
    const [a, b] = [
      await bundleLock(path.join(here, 'src/lock.ts')),
      await bundleLock(path.join(there, 'src/lock.ts')),
    ];
    expect(a.hash).toBe(b.hash);
    expect(a.source).not.toContain(here);
    const { 'node_modules/dep/index.js': index, 'node_modules/dep/package.json': manifest, ...own } = FILES;
    const outside = {
      'deeper/node_modules/dep/index.js': index,
      'deeper/node_modules/dep/package.json': manifest,
    };
    const hashes: string[] = [];
    for (const home of [await writeProgram(own), await writeProgram(own)]) {
      const from = path.join(await writeProgram(outside), 'deeper');
      const bundle = await bundleLock(path.join(home, 'src/lock.ts'), { from });
      expect(bundle.source).not.toMatch(/tmp|\.\.\/\.\./);
      hashes.push(bundle.hash);
    }
    expect(hashes).toEqual([a.hash, a.hash]);
  });

  it('another program has another hash', async () => {
    const [a, b] = [
      await bundleText(`export default ${LOCK};`),
      await bundleText(`export default ${LOCK}; export const x = 1;`),
    ];
    expect(a.hash).not.toBe(b.hash);
  });
});

describe('what is wrong is said', () => {
  it('no such file', async () => {
    const error = await problemOf(bundleLock('/nowhere/my-lock.ts'));
    expect(error.code).toBe('not-found');
    expect(error.message).toContain('/nowhere/my-lock.ts');
  });

  it('a syntax error, with file, line and column', async () => {
    const error = await problemOf(bundleText(`export default {\n  name: 'x',\n  servers 1,\n};`));
    expect(error.code).toBe('syntax');
    expect(error.message).toMatch(/lock\.ts:3:11: Expected/);
  });

  it('a syntax error in a module that awaits at its top level', async () => {
    const error = await problemOf(bundleText(`await null;\nexport default {{`, 'lock.mjs'));
    expect(error.message).toMatch(/lock\.mjs:2:\d+: /);
  });

  it('an import of a file that is not there', async () => {
    const error = await problemOf(bundleText(`import './helper.js';`));
    expect(error.code).toBe('not-found');
    expect(error.message).toMatch(/lock\.ts:1:8: imports \.\/helper\.js, which does not exist/);
  });

  it('a package that is not installed, with what to type', async () => {
    const text = `import x from '@acme/not-a-lock/sub'; export default x;`;
    const error = await problemOf(bundleText(text));
    expect(error.code).toBe('missing-package');
    expect(error.message).toMatch(
      /lock\.ts:1:15: needs the npm package @acme\/not-a-lock, which is not installed/,
    );
    expect(error.message).toMatch(/npm i -D @acme\/not-a-lock$/);
  });

  it('an adapter’s package in another version', async () => {
    const directory = await writeProgram({
      'lock.ts': `import R from 'some-lock'; export default R;`,
      'node_modules/some-lock/package.json': '{"name": "some-lock", "version": "5.0.0"}',
      'node_modules/some-lock/index.js': `module.exports = 1;`,
    });
    const npm = { package: 'some-lock', version: '4.2.0' };
    const error = await problemOf(bundleLock(path.join(directory, 'lock.ts'), { npm }));
    expect(error.code).toBe('missing-package');
    expect(error.message).toContain(
      'needs the npm package some-lock@4.2.0, but found version 5.0.0: npm i -D some-lock@4.2.0',
    );
  });

  it('finds the version under an alias: the user’s first, its own parts, and no other package of that version', async () => {
    const exporting = (text: string) =>
      `module.exports = { at: ${JSON.stringify(text)}, part: require('./part') };`;
    const copy = (place: string, name: string, version: string) => ({
      [`${place}/package.json`]: JSON.stringify({ name, version, main: 'main.js' }),
      [`${place}/main.js`]: exporting(place),
      [`${place}/part.js`]: `module.exports = ${JSON.stringify(place)};`,
    });
    const home = await writeProgram({
      'lock.ts': LOCK_OF_DEP,
      ...copy('node_modules/dep', 'dep', '1.0.0'),
      ...copy('node_modules/a-2', 'another', '2.0.0'),
      ...copy('node_modules/dep-2', 'dep', 'v2.0.0'),
      ...copy('node_modules/@of/dep-3', 'dep', '3.0.0'),
      ...copy('user/node_modules/mine', 'dep', '3.0.0'),
    });
    const found = async (version: string) => {
      const options = { from: path.join(home, 'user'), npm: { package: 'dep', version } };
      const bundle = await bundleLock(path.join(home, 'lock.ts'), options);
      return (await inMacrotask(() => instantiate(bundle, new TestProcess()))).definition.name;
    };
    const twice = (place: string) => `${place} ${place}`;
    expect(await found('1.0.0')).toBe(twice('node_modules/dep'));
    expect(await found('2.0.0')).toBe(twice('node_modules/dep-2'));
    expect(await found('3.0.0')).toBe(twice('user/node_modules/mine'));
    const plain = await writeProgram({
      'lock.ts': LOCK_OF_DEP,
      ...copy('node_modules/dep', 'dep', '2.0.0'),
      'node_modules/dep/main.js': exporting('node_modules/dep-2'),
      'node_modules/dep/part.js': `module.exports = "node_modules/dep-2";`,
    });
    const npm = { package: 'dep', version: '2.0.0' };
    const [aliased, own] = [home, plain].map((place) => bundleLock(path.join(place, 'lock.ts'), { npm }));
    expect((await aliased)!.hash).toBe((await own)!.hash);
    const error = await problemOf(found('4.0.0'));
    expect(error.message).toContain(
      'needs the npm package dep@4.0.0, but found version 1.0.0: npm i -D dep@4.0.0',
    );
  });

  it('the user’s own copy of a package comes first', async () => {
    const home = await writeProgram({
      'lock.ts': `import which from 'dep'; export default { name: which, servers: 1, connect: () => ({}) };`,
      'node_modules/dep/index.js': `module.exports = 'beside the module';`,
      'node_modules/dep/package.json': '{"name": "dep", "version": "1.0.0"}',
      'user/node_modules/dep/index.js': `module.exports = 'of the user';`,
      'user/node_modules/dep/package.json': '{"name": "dep", "version": "2.0.0"}',
    });
    expect((await load(home, 'lock.ts')).definition.name).toBe('beside the module');
    expect((await load(home, 'lock.ts', path.join(home, 'user'))).definition.name).toBe('of the user');
    const npm = { package: 'dep', version: '1.0.0' };
    const bundle = await bundleLock(path.join(home, 'lock.ts'), { from: path.join(home, 'user'), npm });
    const exact = await inMacrotask(() => instantiate(bundle, new TestProcess()));
    expect(exact.definition.name).toBe('beside the module');
  });

  it('an optional package that is not installed is no problem', async () => {
    const text = `let x = 'none'; try { require('supports-color'); } catch (e) { x = e.code; }
      module.exports = { name: x, servers: 1, connect() {} };`;
    const bundle = await bundleText(text, 'lock.cjs');
    const instance = await inMacrotask(() => instantiate(bundle, new TestProcess()));
    expect(instance.definition.name).toBe('MODULE_NOT_FOUND');
  });
});
