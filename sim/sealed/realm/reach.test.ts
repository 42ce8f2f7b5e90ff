import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleLock } from '../bundle.js';
import { idleServices } from '../idle.js';
import { instantiate } from '../instance.js';
import { TestProcess, bundleProbe, inMacrotask, probe, probeOf, removeScratch } from '../testing.js';
import { freeWords, reachOf } from './reach.js';
import { Realm } from './realm.js';

afterAll(removeScratch);

const REDLOCK = fileURLToPath(new URL('../../../src/locks/redlock.ts', import.meta.url));

describe('what a text can reach', () => {
  it('members and modules are no free names, names after a spread are', () => {
    const words = freeWords(
      `client.eval(1); var c = require("node:crypto"); [...Math]; a?.process; b.c.Date`,
    );
    expect(['eval', 'crypto', 'process', 'Date'].filter((word) => words.has(word))).toEqual([]);
    expect(['client', 'Math', 'require', 'a'].every((word) => words.has(word))).toBe(true);
  });

  it('the reference lock needs few things', async () => {
    const { source } = await bundleLock(REDLOCK);
    expect(reachOf(source)).toEqual({
      sharesClasses: true,
      onlyReadsDate: true,
      promisifies: false,
      members: new Map([['crypto', new Set(['createHash', 'randomUUID'])]]),
    });
  });

  const CLASSES: [string, boolean][] = [
    [`new AbortController().signal`, true],
    [`signal.addEventListener('abort', f)`, true],
    [`class A { constructor() { Object.prototype.hasOwnProperty.call(this, 'a'); } }`, true],
    [`new AbortController`, false],
    [`class Mine extends AbortController {}`, false],
    [`AbortController.prototype.abort = f`, false],
    [`AbortSignal.timeout(5)`, false],
    [`signal.constructor.prototype.aborted`, false],
    [`signal['constructor']`, false],
    [`Object.getPrototypeOf(signal).mark = 1`, false],
    [`Reflect.setPrototypeOf(signal, null)`, false],
    [`signal.__proto__.mark = 1`, false],
    [`target instanceof EventTarget`, false],
    [`globalThis[name]`, false],
    [`Function('return ' + name)()`, false],
    [`(0, eval)(code)`, false],
  ];
  for (const [text, shares] of CLASSES) {
    it(`${text} ${shares ? 'lets' : 'does not let'} instances share the signal classes`, () => {
      expect(reachOf(text).sharesClasses).toBe(shares);
    });
  }

  const DATES: [string, boolean][] = [
    [`return Date.now() - start;`, true],
    [`return new Date();`, false],
    [`const { now } = Date;`, false],
    [`const now = Date.now; Date.now();`, false],
    [`structuredClone(Date.now())`, false],
    [`globalThis.Date`, false],
  ];
  for (const [text, only] of DATES) {
    it(`${text} ${only ? 'only reads' : 'may use more of'} the date`, () => {
      expect(reachOf(text).onlyReadsDate).toBe(only);
    });
  }

  const imported = 'var import_crypto = require("crypto");\n';
  const MODULES: [string, readonly string[] | null][] = [
    [`${imported}(0, import_crypto.randomUUID)();`, ['randomUUID']],
    [
      `${imported}var import_crypto2 = require("node:crypto");\n(0, import_crypto2.randomInt)(3);`,
      ['randomInt'],
    ],
    [`${imported}f(import_crypto);`, null],
    [`${imported}import_crypto.mark = 1;`, null],
    [`${imported}import_crypto[name]();`, null],
    [`${imported}require(name).randomUUID();`, null],
    [`${imported}const other = require;`, null],
    [`${imported}(0, import_crypto.randomUUID)(); process.getBuiltinModule("crypto");`, null],
    [`${imported}(0, import_crypto.randomUUID)(); arguments[2]("crypto");`, null],
    [`var import_crypto = __toESM(require("crypto"));\nimport_crypto.default.randomUUID();`, null],
  ];
  for (const [text, members] of MODULES) {
    it(`${text.split('\n').slice(1).join(' ')} wants ${members?.join() ?? 'the whole module'}`, () => {
      const found = reachOf(text).members.get('crypto');
      expect(found === undefined ? null : [...found]).toEqual(members);
    });
  }
});

describe('instances that share the signal classes', () => {
  it('each hears its own listeners’ errors, on its own clock', async () => {
    const bundle = await bundleProbe(`const c = new AbortController(); const seen = [];
      c.signal.addEventListener('abort', () => { throw new Error(arg); });
      c.signal.onabort = (event) => seen.push(event.type, event.target === c.signal, event.timeStamp);
      c.abort('why'); return [...seen, c.signal.reason, String(c), String(c.signal)];`);
    expect(reachOf(bundle.source).sharesClasses).toBe(true);
    const [a, b] = [new TestProcess('p1'), new TestProcess('p2')];
    b.nowMs = 7;
    const results = await inMacrotask(() =>
      [a, b].map((process): unknown => {
        const call = probeOf(bundle, process);
        return process.finish(async () => call(process.host) as unknown);
      }),
    );
    const rest = ['why', '[object AbortController]', '[object AbortSignal]'];
    expect(results).toEqual([
      ['abort', true, 0, ...rest],
      ['abort', true, 7, ...rest],
    ]);
    for (const process of [a, b])
      expect(process.uncaught.map((error) => (error as Error).message)).toEqual([process.host]);
  });

  it('print as those of programs that do not', async () => {
    const printed = async (more: string): Promise<string[]> => {
      const process = new TestProcess();
      await probe(`const c = new AbortController(); console.log(c, c.signal); ${more}`, { process });
      return process.printedLines;
    };
    expect(await printed('')).toEqual(await printed('AbortSignal.abort();'));
  });

  it('a program that changes a class changes it for itself alone', async () => {
    const changing = await bundleProbe(
      `AbortController.prototype.mark = arg; return new AbortController().mark;`,
    );
    const plain = await bundleProbe(`return new AbortController().mark;`);
    const marks = await inMacrotask(() => [
      probeOf(changing, new TestProcess())(1),
      probeOf(changing, new TestProcess())(),
      probeOf(plain, new TestProcess())(),
    ]);
    expect(marks).toEqual([1, undefined, undefined]);
  });
});

/** Code compiled for the objects of one instance is thrown away when it meets one of another kind. */
it('what a lock holds has the same hidden class in every instance', async () => {
  setFlagsFromString('--allow-natives-syntax');
  const same = Reflect.construct(Function, ['a', 'b', 'return %HaveSameMap(a, b)']) as (
    a: unknown,
    b: unknown,
  ) => boolean;
  expect([same({ a: 1 }, { a: 2 }), same({ a: 1 }, { b: 1 })]).toEqual([true, false]);
  const reach = reachOf((await bundleLock(REDLOCK)).source);
  const [first, second] = [1, 2].map(() => {
    const seat = { services: idleServices(), keepContext: null, resets: [] };
    const realm = new Realm(seat, { readOwnFile: () => null }, reach);
    const wait = realm.lookup('setTimeout') as (callback: () => void, delayMs: number) => object;
    const controller = new realm.AbortController();
    controller.signal.addEventListener('abort', () => undefined);
    const parts: Record<string, unknown> = {
      controller,
      signal: controller.signal,
      timer: wait(() => {}, 1),
    };
    for (const name of ['performance', 'Math', 'Date', 'AbortController', 'setTimeout'])
      parts[name] = realm.lookup(name);
    return { ...parts, crypto: realm.require('node:crypto') as object, realm } as Record<string, unknown>;
  }) as [Record<string, unknown>, Record<string, unknown>];
  const differing = Object.keys(first).filter((name) => !same(first[name], second[name]));
  expect(differing).toEqual([]);
});

it('a fresh instance of a reference lock costs tens of microseconds', async () => {
  const bundle = await bundleLock(REDLOCK);
  const services = idleServices();
  let best = Infinity;
  await inMacrotask(() => {
    for (let batch = 0; batch < 30; batch += 1) {
      const started = performance.now();
      for (let index = 0; index < 50; index += 1) instantiate(bundle, services);
      best = Math.min(best, ((performance.now() - started) / 50) * 1000);
    }
  });
  expect(best).toBeLessThan(150);
});
