import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { GLOBALS, MEMBERS, MODULES } from './surface.js';
import { surfacePage } from './surface-page.js';
import { TestProcess, bundleProbe, inMacrotask, probe, probeOf, removeScratch } from './testing.js';

const PAGE = fileURLToPath(new URL('../../docs/sealed.md', import.meta.url));

afterAll(removeScratch);

const named = (table: typeof GLOBALS, how: string): string[] =>
  Object.keys(table).filter((name) => table[name]?.how === how);

describe('the table of the surface is what programs meet', () => {
  it('virtual globals are the realm’s, by bare name and on globalThis', async () => {
    const names = named(GLOBALS, 'virtual');
    const body = `return arg.map((name) => { const value = Function('return ' + name)();
      return [name, value === globalThis[name], value]; });`;
    const met: [string, boolean, unknown][] = await probe(body, { arg: names });
    expect(met.map(([name]) => name)).toEqual(names);
    for (const [name, same, value] of met) {
      expect([name, same]).toEqual([name, true]);
      expect(value, name).toBeDefined();
      expect(value, name).not.toBe((globalThis as Record<string, unknown>)[name]);
    }
  });

  it('passed globals are the host’s', async () => {
    const names = named(GLOBALS, 'passed').filter((name) => name in globalThis);
    const met: unknown[] = await probe(`return arg.map((name) => Function('return ' + name)());`, {
      arg: names,
    });
    expect(met).toEqual(names.map((name) => (globalThis as Record<string, unknown>)[name]));
    expect(names.length).toBeGreaterThan(70);
  });

  it('refused globals end the run when called', async () => {
    const bundle = await bundleProbe(
      `const value = Function('return ' + arg)(); try { new value(); } catch {}`,
    );
    for (const name of named(GLOBALS, 'refused')) {
      const process = new TestProcess();
      await inMacrotask(() => process.finish(async () => probeOf(bundle, process)(name)));
      expect(process.escapes.map((error) => error.message)).toEqual([
        `the program tried to leave the simulation: ${name}`,
      ]);
    }
  });

  it('all other names of the host are undefined', async () => {
    const others = Object.getOwnPropertyNames(globalThis).filter(
      (name) => !(name in GLOBALS) && /^[A-Za-z_$][\w$]*$/.test(name),
    );
    const met: string[] = await probe(
      `return arg.map((name) => Function('return typeof ' + name)() + typeof globalThis[name]);`,
      {
        arg: others,
      },
    );
    expect(met.every((kind) => kind === 'undefinedundefined')).toBe(true);
    expect(others).toContain('Request');
  });

  it('what other code of the process adds to the host is undefined as well', async () => {
    const host = globalThis as Record<string, unknown>;
    host['cameLater'] = 1;
    try {
      expect(await probe('return [typeof cameLater, typeof globalThis.cameLater]')).toEqual([
        'undefined',
        'undefined',
      ]);
    } finally {
      delete host['cameLater'];
    }
  });

  it('every module of the table loads; every function of a refused one ends the run', async () => {
    const bundle = await bundleProbe(`const made = require(arg);
      if (require('node:' + arg) !== made) throw new Error('another module with node:');
      const functions = Object.keys(made).filter((key) => typeof made[key] === 'function' && !/^isIP/.test(key));
      for (const key of functions) { try { new made[key](); } catch {} }
      return [typeof made, functions.length];`);
    for (const name of named(MODULES, 'refused')) {
      const process = new TestProcess();
      const [kind, functions] = await inMacrotask(() =>
        process.finish(async () => probeOf(bundle, process)(name)),
      );
      expect([name, kind]).toEqual([name, 'object']);
      expect(functions, name).toBeGreaterThan(1);
      expect(process.escapes, name).toHaveLength(functions);
    }
    const kinds: string[] = await probe(`return arg.map((name) => typeof require(name));`, {
      arg: [...named(MODULES, 'virtual'), ...named(MODULES, 'passed')],
    });
    expect(kinds.every((kind) => kind === 'object' || kind === 'function')).toBe(true);
  });

  it('every member of the table exists', async () => {
    const paths = Object.keys(MEMBERS).filter((name) => !['import()', 'require'].includes(name));
    const kinds: string[] = await probe(
      `const roots = { process, crypto: require('crypto'), Error, Buffer };
       return arg.map((path) => typeof path.split('.').reduce((at, key) => at === null ? roots[key] : at[key], null));`,
      { arg: paths },
    );
    expect(kinds.filter((kind) => kind === 'undefined')).toEqual([]);
  });
});

it('docs/sealed.md is current (UPDATE_DOCS=1 writes it)', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, surfacePage());
  expect(readFileSync(PAGE, 'utf8')).toBe(surfacePage());
});
