/** The direct client in node-redis' shape, beside the real package on the wire: the same program prints the same lines. */
import { writeFileSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated } from '../../testing/simulated.js';

const PACKAGES = ['redis', 'redis@6'] as const;

/** Runs the text as the body of `acquire`, with `redis`, `show(...)`, `tell(promise)` and `sleep(ms)`. */
function run(
  body: string,
  transport: 'direct' | (typeof PACKAGES)[number],
  scenario: Partial<ScenarioInput> = {},
) {
  const lock = lockModule(`
    const redis = env.clients[0];
    const words = (value) => value instanceof Error ? value.constructor.name + '/' + value.name + ': ' + value.message : JSON.stringify(value) ?? 'undefined';
    const show = (...values) => console.log(values.map(words).join(' '));
    const tell = (promise) => promise.then(show, show);
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    ${body}
    return { release: async () => {} };`);
  const text = readFileSync(lock, 'utf8');
  writeFileSync(lock, text.replace('servers: 1,', "servers: 1, client: 'node-redis',"));
  const processes = { count: 1, ...scenario.processes };
  const on = transport === 'direct' ? {} : ({ transport: 'wire', clientPackage: transport } as const);
  return simulated(
    { workload: { workMs: 0, steps: 0 }, ...scenario, processes: { ...processes, ...on } },
    lock,
  );
}

async function lines(body: string, scenario: Partial<ScenarioInput> = {}): Promise<string[]> {
  const direct = printed(await run(body, 'direct', scenario));
  for (const name of PACKAGES) expect(printed(await run(body, name, scenario)), name).toEqual(direct);
  return direct;
}

describe('commands', () => {
  it('take options as objects, and answer with plain values', async () => {
    const found = await lines(`
      await tell(redis.set('a', 'x', { PX: 1000, NX: true }));
      await tell(redis.set('a', 'y', { NX: true }));
      await tell(redis.set('a', 7, { XX: true, expiration: { type: 'PX', value: 500 }, GET: true }));
      await tell(redis.set('a', 8, { condition: 'XX', KEEPTTL: true }));
      await tell(redis.pTTL('a').then((left) => left > 400 && left <= 500));
      await tell(redis.get('a'));
      await tell(redis.GET('none'));
      await tell(redis.setNX('a', 'z'));
      await tell(redis.incr('n'));
      await tell(redis.incrBy('n', 5));
      await tell(redis.pExpire('n', 100));
      await tell(redis.expire('none', 1));
      await tell(redis.exists(['a', 'n', 'none']));
      await tell(redis.mGet(['a', 'none']));
      await tell(redis.del('n'));
      await tell(redis.rPush('l', ['x', 'y']));
      await tell(redis.lRange('l', 0, -1));
      await tell(redis.ping());
      await tell(redis.sendCommand(['STRLEN', 'a']));
      await tell(redis.set('ü', 'é'));
      await tell(redis.get('ü'));`);
    expect(found).toEqual(
      `"OK" null "x" "OK" true "8" null 0 1 6 1 0 2 ["8",null] 1 2 ["x","y"] "PONG" 1 "OK" "é"`.split(' '),
    );
  });

  it('run scripts', async () => {
    const found = await lines(`
      const sha = await redis.scriptLoad('return {KEYS[1], ARGV[1], false, 1}');
      show(sha);
      await tell(redis.evalSha(sha, { keys: ['k'], arguments: ['v'] }));
      await tell(redis.eval('return redis.call("INCR", KEYS[1])', { keys: ['n'] }));
      await tell(redis.eval('return 1'));
      await tell(redis.scriptExists([sha, 'none']));
      await tell(redis.evalSha('0'.repeat(40), { keys: [] }).catch((error) => { throw new Error(error.message.slice(0, 8)); }));`);
    expect(found.slice(1)).toEqual(['["k","v",null,1]', '1', '1', '[1,0]', 'Error/Error: NOSCRIPT']);
  });

  it('reject with the words of the server, or of node-redis where it sends nothing', async () => {
    const found = await lines(`
      await redis.set('a', 'x');
      await tell(redis.incr('a'));
      await tell(redis.eval('return 1', { arguments: [5] }));
      await tell(redis.connect());`);
    expect(found).toEqual([
      'SimpleError/Error: ERR value is not an integer or out of range',
      'TypeError/TypeError: "arguments[3]" must be of type "string | Buffer", got number instead.',
      'Error/Error: Socket already opened',
    ]);
  });
});

describe('clients', () => {
  it('a duplicate is closed until it is connected', async () => {
    const found = await lines(`
      const other = redis.duplicate();
      other.on('error', () => {});
      for (const event of ['connect', 'ready', 'reconnecting', 'end']) other.on(event, () => console.log(event));
      show(redis.isOpen, redis.isReady, other.isOpen, other.isReady);
      await tell(other.get('a'));
      const connected = other.connect();
      show(other.isOpen, other.isReady);
      const early = other.set('a', 'queued');
      show((await connected) === other, other.isReady);
      await tell(early);
      await tell(other.get('a'));
      await tell(other.close());
      show(other.isOpen);
      await tell(other.get('a'));
      await tell(other.close().catch((error) => { throw error; }));
      await tell(redis.quit());
      show(redis.isOpen);`);
    expect(found).toEqual([
      'true true false false',
      'ClientClosedError/Error: The client is closed',
      'true false',
      'connect',
      'ready',
      'true true',
      '"OK"',
      '"queued"',
      'end',
      'undefined',
      'false',
      'ClientClosedError/Error: The client is closed',
      'ClientClosedError/Error: The client is closed',
      '"OK"',
      'false',
    ]);
  });

  it('destroy rejects what is under way, close lets it be answered', async () => {
    const found = await lines(`
      const pending = tell(redis.duplicate().on('error', () => {}).connect().then((other) => { const reply = other.get('a'); other.destroy(); return reply; }));
      await pending;
      const reply = tell(redis.set('a', 'x'));
      await redis.close();
      await reply;`);
    expect(found).toEqual(['DisconnectsClientError/Error: Disconnects client', '"OK"']);
  });

  it('hear each channel by its own listener', async () => {
    const found = await lines(`
      const other = redis.duplicate().on('error', () => {});
      await other.connect();
      const one = (message, channel) => show('one', message, channel);
      const two = (message, channel) => show('two', message, channel);
      await tell(other.subscribe('news', one));
      await tell(other.subscribe(['news', 'more'], two));
      await tell(other.pSubscribe('n*', (message, channel) => show('pattern', message, channel)));
      await tell(redis.publish('news', 'a')); await sleep(20);
      await tell(other.unsubscribe('news', two));
      await tell(other.pUnsubscribe('n*'));
      await tell(redis.publish('news', 'b')); await sleep(20);
      await tell(redis.publish('more', 'c')); await sleep(20);
      await tell(other.unsubscribe());
      await tell(redis.publish('news', 'd')); await sleep(20);
      await other.close();`);
    expect(found.filter((line) => line.startsWith('"'))).toEqual([
      '"one" "a" "news"',
      '"two" "a" "news"',
      '"pattern" "a" "news"',
      '"one" "b" "news"',
      '"two" "c" "more"',
    ]);
  });
});

describe('connections', () => {
  const reset: ScenarioInput['faults'] = [
    { on: { event: 'voted', process: 'p1' }, do: 'reset', from: 'p1', to: 'redis-1' },
  ];

  it('a reset rejects what is in flight with the error of the socket, and the client connects again at once', async () => {
    const found = await lines(
      `for (const event of ['connect', 'reconnecting', 'end']) redis.on(event, () => console.log(event));
       redis.on('error', (error) => console.log('error', error.code));
       await tell(redis.set('a', 'x').catch((error) => { throw new Error(error.message); }));
       show(redis.isOpen, redis.isReady);
       await tell(redis.get('a'));`,
      { faults: reset },
    );
    expect(found).toEqual([
      'error ECONNRESET',
      'reconnecting',
      'Error/Error: read ECONNRESET',
      'true false',
      'connect',
      '"x"',
    ]);
  });

  it('a subscriber subscribes again', async () => {
    const found = await lines(
      `redis.on('error', () => {});
       await redis.subscribe('news', (message) => show(message));
       const other = redis.duplicate().on('error', () => {});
       await other.connect();
       await sleep(200);
       await tell(other.publish('news', 'after'));
       await sleep(50);`,
      { faults: [{ atMs: 100, do: 'reset', from: 'p1', to: 'redis-1' }] },
    );
    expect(found).toEqual(expect.arrayContaining(['"after"', '1']));
  });

  it('a command time-out does not cover what was written', async () => {
    const found = await lines(`await sleep(20); await tell(redis.get('a'));`, {
      faults: [{ atMs: 10, do: 'hold', from: 'redis-1', to: 'p1', forMs: 500 }],
      processes: { count: 1, client: { commandTimeoutMs: 50 } },
    });
    expect(found).toEqual(['null']);
  });

  it('without an offline queue a command fails at once', async () => {
    const found = await lines(
      `redis.on('error', () => {});
       await redis.set('a', 'x').catch(() => {});
       await tell(redis.get('a'));`,
      { faults: reset, processes: { count: 1, client: { offlineQueue: false } } },
    );
    expect(found).toEqual(['ClientOfflineError/Error: The client is offline']);
  });

  it('an error that nobody listens for is the program’s trouble', async () => {
    const history = await run(
      `const other = redis.duplicate(); await other.connect(); await tell(other.set('a', 'x').catch(() => 'failed'));`,
      'direct',
      { faults: reset },
    );
    expect(printed(history)).toEqual(['"failed"']);
    expect(eventsOf(history, 'trouble').map(({ what, error }) => [what, error.message])).toEqual([
      ['uncaught', 'read ECONNRESET'],
    ]);
  });
});
