/** One test for each way out of a sealed process that was ever found. */
import { afterAll, describe, expect, it } from 'vitest';
import { TestProcess, bundleProbe, inMacrotask, probe, probeOf, removeScratch } from './testing.js';

afterAll(removeScratch);

/** Runs the probe and gives the route of the escape it was stopped at. */
async function escapeOf(body: string, prelude = ''): Promise<string | undefined> {
  const process = new TestProcess();
  await probe(body, { process, prelude }).catch(() => undefined);
  const [first] = process.escapes as (Error & { route?: string })[];
  return first?.route;
}

describe('ways to the real global object', () => {
  const routes: [string, string][] = [
    ['a host function’s constructor', `const g = [].constructor.constructor('return this')();`],
    ['a sloppy this', `const g = (function () { return this; })();`],
    ['a timer’s constructor', `const g = setTimeout.constructor('return this')();`],
    ['a virtual method’s constructor', `const g = Date.now.constructor('return this')();`],
    ['a real error’s constructor', `const g = new Error('x').constructor.constructor('return this')();`],
  ];
  for (const [title, how] of routes) {
    it(`${title} meets tripwires`, async () => {
      expect(await escapeOf(`${how} return g.Date.now();`)).toBe('Date.now');
      expect(await escapeOf(`${how} return g.setTimeout(() => {}, 1);`)).toBe('setTimeout');
      expect(await escapeOf(`${how} return g.Math.random();`)).toBe('Math.random');
      expect(await escapeOf(`${how} return g.process;`)).toBe('process');
      expect(await escapeOf(`${how} return g.crypto.randomUUID();`)).toBe('crypto');
      expect(await escapeOf(`${how} return g.performance.now();`)).toBe('performance');
      expect(await escapeOf(`${how} return new g.Date();`)).toBe('Date');
      expect(await escapeOf(`${how} return g.AbortSignal.timeout(1);`)).toBe('AbortSignal.timeout');
      expect(await escapeOf(`${how} return new g.WeakRef({});`)).toBe('WeakRef');
      expect(await escapeOf(`${how} return new g.Event('x').timeStamp;`)).toBe('Event.timeStamp');
      expect(await escapeOf(`${how} return new g.Intl.DateTimeFormat().format();`)).toBe('Intl');
    });
  }

  it('an async function’s constructor meets tripwires', async () => {
    const body = `return Object.getPrototypeOf(async () => {}).constructor('return Date.now()')();`;
    expect(await escapeOf(body)).toBe('Date.now');
  });

  it('Function, new Function and eval compile inside the seal', async () => {
    const process = new TestProcess();
    const result = await probe(
      `return [Function('return Date.now()')(), new Function('a', 'b', 'return a + b + Date.now()')(1, 2),
        eval('Date.now()'), (0, eval)('var x = 1; x + Date.now()'), Function('return this')() === globalThis,
        Function('return setTimeout')() === setTimeout, (() => {}) instanceof Function, eval(7)];`,
      { process },
    );
    const now = process.wallMs();
    expect(result).toEqual([now, now + 3, now, now + 1, true, true, true, 7]);
    expect(process.escapes).toEqual([]);
  });

  it('the virtual globalThis has no prototype and holds only the surface', async () => {
    const names =
      await probe(`return [Object.getPrototypeOf(globalThis), Object.getOwnPropertyNames(globalThis),
      globalThis === global, global === self, typeof globalThis.constructor, typeof globalThis.describe]`);
    const [prototype, own, sameGlobal, sameSelf, constructor, runner] = names as [
      null,
      string[],
      ...unknown[],
    ];
    expect(prototype).toBeNull();
    expect(own).toContain('Promise');
    expect(own).not.toContain('MessagePort');
    expect([sameGlobal, sameSelf, constructor, runner]).toEqual([true, true, 'undefined', 'undefined']);
  });

  it('names of the host that are not of the surface are undefined', async () => {
    const names = `['Request', 'Response', 'Headers', 'FormData', 'Blob', 'PerformanceObserver', 'navigator', 'Crypto',
      'MessagePort', 'SubtleCrypto', 'CompressionStream', 'MutationObserver']`;
    expect(await probe(`return ${names}.map((name) => Function('return typeof ' + name)());`)).toEqual(
      Array.from({ length: 12 }, () => 'undefined'),
    );
    expect(
      await probe(`return [typeof Request, typeof Blob, typeof navigator, typeof PerformanceObserver];`),
    ).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  });

  it('a variable assigned without a declaration is taken away and reported', async () => {
    expect(await escapeOf(`leakedByMistake = 1;`)).toContain('leakedByMistake');
    expect('leakedByMistake' in globalThis).toBe(false);
  });
});

describe('clocks', () => {
  it('Date shows no real Date to read', async () => {
    const process = new TestProcess();
    process.nowMs = 5;
    const result = await probe(
      `const date = new Date();
       return [date.getTime(), new date.constructor().getTime(), Date.prototype.constructor === Date,
         date.constructor === Date, Object.getPrototypeOf(Date) === Function.prototype, Date(), date instanceof Date,
         new (class extends Date {})().getTime(), Object.prototype.toString.call(date), Date.name, Date.length,
         new (class X extends Date {})() instanceof Date, Reflect.construct(Date, []).getTime()];`,
      { process },
    );
    const now = process.wallMs();
    expect(result).toEqual([
      now,
      now,
      true,
      true,
      true,
      'Tue Nov 14 2023 22:13:20 GMT+0000 (Coordinated Universal Time)',
      true,
      now,
      '[object Date]',
      'Date',
      7,
      true,
      now,
    ]);
    expect(
      await escapeOf(`const up = Object.getPrototypeOf; return new (up(up(Date.prototype)).constructor)();`),
    ).toBe('Date');
  });

  it('a date from outside is a Date, and its constructor does not read the clock', async () => {
    expect(
      await probe(
        `return [structuredClone(new Date(5)) instanceof Date, structuredClone(new Date(5)).constructor === Date]`,
      ),
    ).toEqual([true, true]);
    expect(
      await escapeOf(`const { d } = structuredClone({ d: new Date(5) }); return new d.constructor();`),
    ).toBe('Date');
  });

  it('local time is UTC and the language en-US', async () => {
    const result = await probe(`
      const d = new Date(2024, 0, 31, 23, 59, 58, 7);
      return [d.getTime(), d.getHours(), d.getTimezoneOffset(), String(d), new Date('2024-01-31T10:00').toISOString(),
        new Date('Jan 31 2024 10:00').toISOString(), new Date('2024-01-31').toISOString(), d.toLocaleString(),
        new Date('2024-01-31T10:00:00+02:00').toISOString(), Date.parse('2024-01-31T10:00:00'), String(new Date(NaN)),
        new Date(0).toLocaleDateString(), Intl.DateTimeFormat().resolvedOptions().timeZone,
        new Intl.NumberFormat().resolvedOptions().locale, new Date(99, 0).getFullYear(), new Date(d).getTime()]`);
    const at = Date.UTC(2024, 0, 31, 23, 59, 58, 7);
    expect(result).toEqual([
      at,
      23,
      0,
      'Wed Jan 31 2024 23:59:58 GMT+0000 (Coordinated Universal Time)',
      '2024-01-31T10:00:00.000Z',
      '2024-01-31T10:00:00.000Z',
      '2024-01-31T00:00:00.000Z',
      '1/31/2024, 11:59:58 PM',
      '2024-01-31T08:00:00.000Z',
      Date.UTC(2024, 0, 31, 10),
      'Invalid Date',
      '1/1/1970',
      'UTC',
      'en-US',
      1999,
      at,
    ]);
  });

  it('Intl.DateTimeFormat without an argument means the virtual now', async () => {
    const process = new TestProcess();
    const result = await probe(
      `return [Intl.DateTimeFormat().format(), new Intl.DateTimeFormat('en-GB').format(),
        new Intl.DateTimeFormat().formatToParts().map((part) => part.value).join(''),
        new (new Intl.DateTimeFormat().constructor)().format()];`,
      { process },
    );
    expect(result).toEqual(['11/14/2023', '14/11/2023', '11/14/2023', '11/14/2023']);
  });

  it('performance, hrtime, uptime and Event.timeStamp are the monotonic clock', async () => {
    const process = new TestProcess();
    process.nowMs = 1234.567;
    const result = await probe(
      `const event = new Event('x'); let seen; const target = new EventTarget();
       target.addEventListener('x', (e) => { seen = e.timeStamp; }); target.dispatchEvent(event);
       return [performance.now(), process.hrtime(), String(process.hrtime.bigint()), process.uptime(), seen,
         require('perf_hooks').performance.now(), require('os').uptime(), process.hrtime([1, 300000000])];`,
      { process },
    );
    expect(result).toEqual([
      1234.567,
      [1, 234_567_000],
      '1234567000',
      1.234567,
      1234.567,
      1234.567,
      1.234567,
      [-1, 934_567_000],
    ]);
  });

  it('AbortSignal.timeout is virtual, also through signal.constructor', async () => {
    const process = new TestProcess();
    const result = await probe(
      `const { signal } = new AbortController();
       const a = AbortSignal.timeout(50), b = signal.constructor.timeout(70);
       const log = [];
       a.addEventListener('abort', () => log.push(['a', performance.now(), a.reason.name]));
       return new Promise((resolve) => { b.onabort = () => { log.push(['b', performance.now()]); resolve(log); }; });`,
      { process },
    );
    expect(result).toEqual([
      ['a', 50, 'TimeoutError'],
      ['b', 70],
    ]);
  });
});

describe('random sources', () => {
  const DRAWS = `const crypto = require('crypto'); const bytes = new Uint8Array(4);
    return [Math.random(), crypto.randomBytes(8).toString('hex'), crypto.randomUUID(), crypto.randomInt(1000),
      [...crypto.getRandomValues(bytes)], globalThis.crypto.randomUUID(), [...crypto.randomFillSync(new Uint8Array(3))],
      crypto.webcrypto.getRandomValues(new Uint16Array(1))[0]]`;

  it('the same seed draws the same, two processes never do', async () => {
    const bundle = await bundleProbe(DRAWS);
    const draw = (seed: number) => inMacrotask(() => probeOf(bundle, new TestProcess('p1', seed))());
    const [first, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect(first).toEqual(again);
    for (let index = 0; index < first.length; index += 1) expect(other[index]).not.toEqual(first[index]);
    expect(first[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('callbacks and promises of crypto arrive in the same step, never within the call', async () => {
    const result = await probe(`
      const crypto = require('node:crypto'); const log = [];
      const { promisify } = require('util');
      crypto.randomBytes(4, (error, bytes) => log.push(['bytes', error, bytes.length]));
      crypto.randomInt(5, 6, (error, n) => log.push(['int', error, n]));
      crypto.randomFill(new Uint8Array(2), (error, view) => log.push(['fill', error, view.length]));
      crypto.pbkdf2('a', 'b', 1, 4, 'sha1', (error, key) => log.push(['pbkdf2', error, key.toString('hex')]));
      log.push('sync');
      return promisify(crypto.randomBytes)(3).then((bytes) => { log.push(bytes.length); return log; });`);
    expect(result).toEqual([
      'sync',
      ['bytes', null, 4],
      ['int', null, 5],
      ['fill', null, 2],
      ['pbkdf2', null, expect.stringMatching(/^[0-9a-f]{8}$/)],
      3,
    ]);
  });

  it('hashes pass, digest is computed at once, keys and signatures are refused', async () => {
    expect(
      await probe(`const c = require('crypto');
        return c.subtle.digest('SHA-1', new TextEncoder().encode('abc')).then((d) => [
          c.createHash('sha1').update('abc').digest('hex'), Buffer.from(d).toString('hex'),
          c.createHmac('sha256', 'k').update('abc').digest('hex').length, c.timingSafeEqual(Buffer.from('a'), Buffer.from('a'))]);`),
    ).toEqual([
      'a9993e364706816aba3e25717850c26c9cd0d89d',
      'a9993e364706816aba3e25717850c26c9cd0d89d',
      64,
      true,
    ]);
    expect(await escapeOf(`require('crypto').generateKeyPairSync('rsa');`)).toContain(
      'crypto.generateKeyPairSync',
    );
    expect(await escapeOf(`crypto.subtle.generateKey({});`)).toContain('crypto.subtle.generateKey');
    expect(await escapeOf(`require('crypto').createECDH('secp256k1');`)).toContain('crypto.createECDH');
  });

  it('memory that was used before is not handed out', async () => {
    const result = await probe(
      `Buffer.from('secret of the past '.repeat(50)); return Buffer.allocUnsafe(64).every((b) => b === 0);`,
    );
    expect(result).toBe(true);
  });
});

describe('collection', () => {
  it('weak references keep their targets and registries never call', async () => {
    expect(
      await probe(`const ref = new WeakRef({ a: 1 }); const registry = new FinalizationRegistry(() => { throw 1; });
        registry.register({}, 1); return [ref.deref().a, registry.unregister({}), WeakRef.name];`),
    ).toEqual([1, false, 'WeakRef']);
  });
});

describe('refused', () => {
  const refused: [string, string][] = [
    [`fetch('http://example.org/')`, 'fetch to http://example.org/'],
    [`new MessageChannel()`, 'MessageChannel'],
    [`new BroadcastChannel('x')`, 'BroadcastChannel'],
    [`new WebSocket('ws://example.org')`, 'WebSocket to ws://example.org'],
    [`new Worker('./x.js')`, 'Worker: ./x.js'],
    [`new SharedArrayBuffer(8)`, 'SharedArrayBuffer'],
    [`Atomics.wait(new Int32Array(4), 0, 0, 1)`, 'Atomics.wait'],
    [`Atomics.waitAsync(new Int32Array(4), 0, 0)`, 'Atomics.waitAsync'],
    [`require('net').connect(6379, '10.0.0.1')`, 'net.connect to 10.0.0.1:6379'],
    [
      `require('node:net').createConnection({ host: '10.0.0.1', port: 6379 })`,
      'net.createConnection to 10.0.0.1:6379',
    ],
    [`new (require('net').Socket)()`, 'net.Socket'],
    [`require('tls').connect({ port: 443 })`, 'tls.connect to localhost:443'],
    [`require('dns').lookup('redis-1', () => {})`, 'dns.lookup to redis-1'],
    [`require('dns').promises.lookup('redis-1')`, 'dns/promises.lookup to redis-1'],
    [`require('dns/promises').lookup('redis-1')`, 'dns/promises.lookup to redis-1'],
    [`require('http').get('http://example.org')`, 'http.get to http://example.org'],
    [`require('https').request({ host: 'example.org', port: 443 })`, 'https.request to example.org:443'],
    [`require('child_process').execSync('date')`, 'child_process.execSync: date'],
    [`new (require('worker_threads').Worker)('./w.js')`, 'worker_threads.Worker: ./w.js'],
    [`require('fs').writeFileSync('/tmp/x', '')`, 'fs.writeFileSync: /tmp/x'],
    [`require('zlib').gzip('x', () => {})`, 'zlib.gzip'],
  ];
  for (const [code, route] of refused) {
    it(`${code.slice(0, 60)} ends the run`, async () => {
      expect(await escapeOf(code)).toBe(route);
    });
  }

  it('the message names the target, and the stack begins in the program', async () => {
    const process = new TestProcess();
    await probe(`require('net').connect(6379, '10.0.0.1')`, { process }).catch(() => undefined);
    const [error] = process.escapes;
    expect(error?.message).toBe('the program tried to leave the simulation: net.connect to 10.0.0.1:6379');
    expect(error?.stack?.split('\n')[1]).toContain('sealed/probe.cjs');
  });

  it('an escape that the program swallows is still reported', async () => {
    const process = new TestProcess();
    expect(await probe(`try { fetch('x'); } catch {} return 'went on';`, { process })).toBe('went on');
    expect(process.escapes).toHaveLength(1);
  });
});

describe('modules', () => {
  it('import of a computed name goes through the sealed require', async () => {
    const process = new TestProcess();
    expect(
      await probe(
        `const name = 'perf' + '_hooks'; return import('node:' + name).then((m) => m.performance.now());`,
        { process },
      ),
    ).toBe(0);
    expect(await probe(`return import('node:' + 'vm').catch((error) => error.code);`)).toBe(
      'MODULE_NOT_FOUND',
    );
  });

  it('process.getBuiltinModule is the sealed require', async () => {
    expect(
      await probe(`return [process.getBuiltinModule('node:timers').setTimeout === setTimeout,
        process.getBuiltinModule('vm'), process.getBuiltinModule('process') === process];`),
    ).toEqual([true, undefined, true]);
  });

  it('what is not allowed is not found, with the code that optional requires look for', async () => {
    expect(
      await probe(`return ['vm', 'v8', 'inspector', 'supports-color', './x', 'constructor', '__proto__'].map((name) => {
        try { require(name); return 'found'; } catch (error) { return error.code; } });`),
    ).toEqual(Array.from({ length: 7 }, () => 'MODULE_NOT_FOUND'));
  });

  it('what one process writes on a module, no other sees', async () => {
    const bundle = await bundleProbe(
      `const path = require('path'); const old = path.mark; path.mark = arg; return old;`,
    );
    const [first, second] = await inMacrotask(() => {
      const [a, b] = [probeOf(bundle, new TestProcess()), probeOf(bundle, new TestProcess())];
      return [a(1), b(2)];
    });
    expect([first, second]).toEqual([undefined, undefined]);
  });

  it('AsyncLocalStorage is kept over virtual timers, ticks and immediates', async () => {
    expect(
      await probe(
        `const storage = new AsyncLocalStorage();
        return storage.run('kept', () => new Promise((resolve) => {
          setTimeout(() => process.nextTick(() => setImmediate(() => resolve(storage.getStore()))), 5); }));`,
        {
          prelude: `const { AsyncLocalStorage } = require('node:async_hooks');`,
        },
      ),
    ).toBe('kept');
  });

  it('diagnostics channels have no subscribers', async () => {
    expect(
      await probe(`const dc = require('diagnostics_channel'); const channel = dc.channel('x'); dc.subscribe('x', () => {});
        return [channel.hasSubscribers, dc.channel('x') === channel, dc.tracingChannel('y').traceSync((a) => a, {}, null, 3)];`),
    ).toEqual([false, true, 3]);
  });

  it('Error.stackTraceLimit and prepareStackTrace are restored', async () => {
    const { stackTraceLimit, prepareStackTrace } = Error;
    await probe(
      `Error.stackTraceLimit += 6; Error.prepareStackTrace = () => 'mine'; return new Error('x').stack;`,
    );
    expect(Error.stackTraceLimit).toBe(stackTraceLimit);
    expect(Error.prepareStackTrace).toBe(prepareStackTrace);
  });

  it('bluebird takes process for a process', async () => {
    expect(await probe(`return Object.prototype.toString.call(process);`)).toBe('[object process]');
  });
});
