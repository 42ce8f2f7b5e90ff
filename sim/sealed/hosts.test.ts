/** The seal on other hosts: a browser's bare globals, another time zone, another language. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleProbe, removeScratch, writeProgram } from './testing.js';

afterAll(removeScratch);

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

async function bundled(text: string, platform: 'browser' | 'node'): Promise<string> {
  const result = await build({
    stdin: { contents: text, resolveDir: here('.'), loader: 'ts' },
    bundle: true,
    write: false,
    platform,
    format: platform === 'browser' ? 'iife' : 'cjs',
    globalName: 'page',
    target: 'es2022',
    logLevel: 'silent',
  });
  return result.outputFiles[0]?.text ?? '';
}

it('instances run in a page: no Node behind them, only what a browser has', async () => {
  const page = await bundled(
    `import './page-builtins.js'; export { instantiate } from './instance.js'; export { idleServices } from './idle.js';`,
    'browser',
  );
  expect(page).not.toMatch(/require\(["']node:/);
  const bundle = await bundleProbe(`const crypto = require('node:crypto');
    const values = [crypto.randomUUID().length, crypto.randomBytes(4).length, Date.now(), performance.now(), typeof process.nextTick];
    const { signal } = new AbortController();
    return [...values, signal.aborted, require('timers/promises') !== undefined, crypto.createHash('sha1').update('abc').digest('hex')];`);
  // A page has no process, no Buffer and no modules; its own globals are those of the web.
  const context = createContext({
    DOMException,
    TextEncoder,
    URL,
    Event,
    AbortSignal,
    crypto,
    performance,
    structuredClone,
    bundle,
  });
  runInContext(page, context);
  const run = `const instance = page.instantiate(bundle, page.idleServices());
    JSON.stringify(instance.definition.connect({ clients: [], endpoints: [], options: {} }).probe())`;
  expect(JSON.parse(String(runInContext(run, context)))).toEqual([
    36,
    4,
    0,
    0,
    'function',
    false,
    true,
    'a9993e364706816aba3e25717850c26c9cd0d89d',
  ]);
});

describe('another machine', () => {
  it('gives the same dates, texts and orders', async () => {
    const program =
      await bundleProbe(`const d = new Date(2024, 6, 1, 12); const { c } = structuredClone({ c: d });
      return [String(d), d.getHours(), d.toLocaleString(), c.getHours(), String(c), c.toLocaleDateString(), new Date('2024-07-01T12:00').getTime(),
        ['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b)), (1234.5).toLocaleString(), 'I'.toLocaleLowerCase(),
        new Intl.NumberFormat().format(1234.5), Intl.DateTimeFormat().resolvedOptions().timeZone, d.getTimezoneOffset()];`);
    const driver = await bundled(
      `import './node-builtins.js'; import { instantiate } from './instance.js'; import { idleServices } from './idle.js'; import { withGuard } from './guard.js';
       import { readFileSync } from 'node:fs';
       const instance = instantiate(JSON.parse(readFileSync(process.argv[2] as string, 'utf8')), idleServices());
       const lock = instance.definition.connect({ clients: [], endpoints: [], options: {} }) as any;
       console.log(JSON.stringify([withGuard(() => lock.probe()), new Date(0).getTimezoneOffset(), ['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b))]));`,
      'node',
    );
    const directory = await writeProgram({ 'driver.cjs': driver, 'program.json': JSON.stringify(program) });
    const run = async (zone: string, language: string): Promise<[unknown, number, string[]]> => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [path.join(directory, 'driver.cjs'), path.join(directory, 'program.json')],
        { env: { ...process.env, TZ: zone, LC_ALL: language, LANG: language } },
      );
      return JSON.parse(stdout) as [unknown, number, string[]];
    };
    const [utc, utcOffset] = await run('UTC', 'en_US.UTF-8');
    const [newYork, offset, swedish] = await run('America/New_York', 'sv_SE.UTF-8');
    const [istanbul] = await run('Europe/Istanbul', 'tr_TR.UTF-8');
    expect([utcOffset, offset]).toEqual([0, 300]);
    expect(swedish).toEqual(['a', 'z', 'ä']);
    expect(newYork).toEqual(utc);
    expect(istanbul).toEqual(utc);
    expect(utc).toContainEqual('Mon Jul 01 2024 12:00:00 GMT+0000 (Coordinated Universal Time)');
  });
});
