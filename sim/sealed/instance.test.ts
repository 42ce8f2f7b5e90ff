import { afterAll, describe, expect, it } from 'vitest';
import { EscapeError, LockModuleError } from './errors.js';
import { idleServices } from './idle.js';
import { instantiate } from './instance.js';
import { TestProcess, bundleProbe, bundleText, inMacrotask, probeOf, removeScratch } from './testing.js';

afterAll(removeScratch);

async function loadError(text: string, name = 'lock.cjs'): Promise<LockModuleError> {
  const bundle = await bundleText(text, name);
  const error = await inMacrotask(() => instantiate(bundle, new TestProcess())).then(
    () => new Error('it loads'),
    (reason: unknown) => reason,
  );
  return error as LockModuleError;
}

describe('a module that cannot be used', () => {
  it('throws while loading', async () => {
    const error = await loadError(`null.f();`);
    expect(error).toBeInstanceOf(LockModuleError);
    expect(error.code).toBe('throws');
    expect(error.message).toMatch(
      /^lock\.cjs throws while loading: TypeError: Cannot read properties of null/,
    );
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  it('throws what is no error', async () => {
    expect((await loadError(`throw 'just text';`)).message).toContain('throws while loading: just text');
  });

  it('exports no lock', async () => {
    const error = await loadError(`exports.helper = 1; exports.other = 2;`);
    expect(error.code).toBe('no-lock');
    expect(error.message).toContain('defineLock({ name, servers, connect }); it exports helper, other');
    expect((await loadError(`export const a = 1;`, 'lock.ts')).message).toContain('it exports a');
    expect((await loadError(``)).message).toContain('it exports nothing');
  });

  it('exports a lock without a name or with a wrong number of servers', async () => {
    expect((await loadError(`module.exports = { servers: 1, connect() {} };`)).message).toContain('name');
    expect((await loadError(`module.exports = { name: 'x', servers: 5, connect() {} };`)).message).toContain(
      `1 or 'many'`,
    );
  });

  it('waits at its top level for a timer', async () => {
    const error = await loadError(
      `await new Promise((r) => setTimeout(r, 1)); export default 1;`,
      'lock.mjs',
    );
    expect(error.code).toBe('never-loads');
  });

  it('rejects at its top level', async () => {
    const error = await loadError(`await null; throw new RangeError('too late');`, 'lock.mjs');
    expect(error.code).toBe('throws');
    expect(error.message).toContain('RangeError: too late');
  });

  it('leaves the simulation while loading', async () => {
    const process = new TestProcess();
    const bundle = await bundleText(`require('net').connect(6379, 'db');`, 'lock.cjs');
    await expect(inMacrotask(() => instantiate(bundle, process))).rejects.toBeInstanceOf(EscapeError);
    expect(process.escapes.map((error) => error.message)).toEqual([
      'the program tried to leave the simulation: net.connect to db:6379',
    ]);
  });

  const CHANGES: [string, string][] = [
    [`Array.prototype.last = function () {};`, 'Array.prototype.last'],
    [`Promise.prototype.then = function () {};`, 'Promise.prototype.then'],
    [`Object.defineProperty(Map.prototype, 'size', { get: () => 7 });`, 'Map.prototype.size'],
    [`delete String.prototype.at;`, 'String.prototype.at'],
    [`JSON.parse = () => 1;`, 'JSON.parse'],
    [`require('events').EventEmitter.prototype.emit = () => {};`, 'EventEmitter.prototype.emit'],
    [`require('stream').pipeline = 1;`, 'Stream.pipeline'],
    [`Symbol.prototype[Symbol.iterator] = 1;`, 'Symbol.prototype.Symbol(Symbol.iterator)'],
  ];
  for (const [code, name] of CHANGES) {
    it(`changes ${name}, which is put back`, async () => {
      const error = await loadError(`${code} module.exports = { name: 'x', servers: 1, connect() {} };`);
      expect(error.code).toBe('changes-built-ins');
      expect(error.message).toBe(`lock.cjs changes a built-in while loading: ${name}`);
      const ok = await loadError(`module.exports = { name: 'x', servers: 1, connect() {} };`);
      expect(ok.message).toBe('it loads');
      expect([[1].at(0), new Map([[1, 2]]).size, 'abc'.at(1), JSON.parse('[3]')]).toEqual([1, 1, 'b', [3]]);
    });
  }

  it('a mark left on a class is taken away, so that the next process does not find it', async () => {
    const bundle = await bundleProbe(`return found;`, `const found = Error.__mark__; Error.__mark__ = 1;`);
    const seen = await inMacrotask(() => [1, 2].map(() => probeOf(bundle, new TestProcess())()));
    expect(seen).toEqual([undefined, undefined]);
    expect('__mark__' in Error).toBe(false);
  });
});

describe('state', () => {
  it('two instances share no module state', async () => {
    const bundle = await bundleProbe(
      `counter += 1; return [counter, cache.push(1)];`,
      `let counter = 0; const cache = [];`,
    );
    const counts = await inMacrotask(() => {
      const [a, b] = [probeOf(bundle, new TestProcess('p1')), probeOf(bundle, new TestProcess('p2'))];
      return [a(), a(), b(), a(), b()];
    });
    expect(counts).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
      [3, 3],
      [2, 2],
    ]);
  });

  it('an instance that is kept is the same program, with state of its own', async () => {
    const bundle = await bundleProbe(
      `counter += 1; return [counter, new Error().stack.split('\\n')[1]];`,
      `let counter = 0;`,
    );
    const [once, kept, other] = await inMacrotask(() =>
      [false, true, true].map((isKept) => {
        const { definition } = instantiate(bundle, new TestProcess(), { kept: isKept });
        const lock = definition.connect({ clients: [], endpoints: [], options: {} });
        return (lock as unknown as { probe(): [number, string] }).probe();
      }),
    );
    expect(once?.[1]).toContain('sealed/probe.cjs:');
    expect([kept, other]).toEqual([once, once]);
  });

  it('two instances share no environment, console or clock', async () => {
    const bundle =
      await bundleProbe(`console.log('hello', { a: 1 }, new Error('no stack')); process.env.X = arg;
      return [process.env.X, process.pid, require('os').hostname(), Date.now()];`);
    const [a, b] = [new TestProcess('p1'), new TestProcess('p2')];
    b.wallOffsetMs += 1000;
    const results = await inMacrotask(() => {
      const [first, second] = [probeOf(bundle, a), probeOf(bundle, b)];
      return [first('one'), second('two'), first('three')];
    });
    expect(results).toEqual([
      ['one', 1001, 'p1', a.wallMs()],
      ['two', 1002, 'p2', b.wallMs()],
      ['three', 1001, 'p1', a.wallMs()],
    ]);
    expect(a.printedLines).toEqual(Array.from({ length: 2 }, () => 'log: hello { a: 1 } Error: no stack'));
    expect(b.printedLines).toHaveLength(1);
  });

  it('a bound instance works for its new run and keeps nothing of the realm’s', async () => {
    const prelude = `const now = Date.now, wait = setTimeout; process.env.AT_LOAD = 'yes'; process.on('atLoad', () => {});`;
    const body = `const before = [process.env.RUN, process.listenerCount('run'), +wait(() => {}, 1)];
      process.env.RUN = 'set'; process.on('run', () => {}); console.count();
      return [now(), Math.random(), ...before, process.env.AT_LOAD, process.listenerCount('atLoad')];`;
    const bundle = await bundleProbe(body, prelude);
    const results = await inMacrotask(() => {
      const first = new TestProcess('p1', 1);
      const instance = instantiate(bundle, first);
      const lock = instance.definition.connect({ clients: [], endpoints: [], options: {} });
      const call = (lock as unknown as { probe: () => unknown[] }).probe;
      const out = [call()];
      for (const seed of [2, 1]) {
        const next = new TestProcess('p1', seed);
        next.wallOffsetMs = 1000 * seed;
        instance.bind(next);
        out.push(call());
        expect(next.printedLines).toEqual(['log: default: 1']);
      }
      return out;
    });
    const clean = [undefined, 0, 1, 'yes', 1];
    expect(results.map((result) => result.slice(2))).toEqual([clean, clean, clean]);
    expect(results.map(([now]) => now)).toEqual([1_700_000_000_000, 2000, 1000]);
    expect(results[2]?.[1]).toBe(results[0]?.[1]);
    expect(results[1]?.[1]).not.toBe(results[0]?.[1]);
  });

  it('the program hears what its process is told, if it listens', async () => {
    const bundle = await bundleProbe(
      `return heard;`,
      `const heard = []; process.on('unhandledRejection', (reason) => heard.push(reason));`,
    );
    await inMacrotask(() => {
      const instance = instantiate(bundle, new TestProcess());
      expect([instance.tell('unhandledRejection', 'why'), instance.tell('SIGTERM')]).toEqual([true, false]);
      const lock = instance.definition.connect({ clients: [], endpoints: [], options: {} });
      expect((lock as unknown as { probe(): unknown }).probe()).toEqual(['why']);
    });
  });

  it('loads to be looked at, without a process', async () => {
    const bundle = await bundleText(`export default { name: 'x', servers: 'many', connect: () => ({}) };`);
    const instance = await inMacrotask(() => instantiate(bundle, idleServices()));
    expect(instance.definition.servers).toBe('many');
  });

  it('modules given by the run come before those of the surface', async () => {
    const bundle = await bundleProbe(`return require('node:net').connect(6379, 'redis-1');`);
    const net = { connect: (port: number, host: string) => `virtual ${host}:${port}` };
    const result = await inMacrotask(() => {
      const instance = instantiate(bundle, new TestProcess(), { modules: { net } });
      const lock = instance.definition.connect({ clients: [], endpoints: [], options: {} });
      return (lock as unknown as { probe: () => unknown }).probe();
    });
    expect(result).toBe('virtual redis-1:6379');
  });
});
