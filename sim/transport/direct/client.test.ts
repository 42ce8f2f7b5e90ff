/** The direct client in a program's hands: what ioredis promises, and how it fails. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { eventsOf, lockModule, printed, simulated, timesOf } from '../../testing/simulated.js';

/** Runs the text as the body of `acquire`, with `redis`, `show(...)` and `tell(promise)`; gives the lines it printed. */
async function lines(body: string, scenario: Partial<ScenarioInput> = {}): Promise<string[]> {
  return printed(await run(body, scenario));
}

function run(body: string, scenario: Partial<ScenarioInput> = {}) {
  const lock = lockModule(`
    const redis = env.clients[0];
    const show = (...values) => console.log(values.map((value) => value instanceof Error ? value.name + ': ' + value.message : JSON.stringify(value)).join(' '));
    const tell = (promise) => promise.then(show, show);
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    ${body}
    return { release: async () => {} };`);
  return simulated({ workload: { workMs: 0, steps: 0 }, ...scenario }, lock);
}

describe('commands', () => {
  it('resolve to replies as ioredis gives them', async () => {
    const found = await lines(`
      await tell(redis.set('a', 'x', 'PX', 1000, 'NX'));
      await tell(redis.set('a', 'y', 'NX'));
      await tell(redis.get('a'));
      await tell(redis.call('incr', 'n'));
      await tell(redis.exists('a', 'n', 'none'));
      await tell(redis.mget(['a', 'n'], 'none'));
      await tell(redis.set('ü', 'é'));
      await tell(redis.get('ü'));`);
    expect(found).toEqual(['"OK"', 'null', '"x"', '1', '2', '["x","1",null]', '"OK"', '"é"']);
  });

  it('reject with a ReplyError that carries the words of the server', async () => {
    const found = await lines(`
      await redis.set('a', 'x');
      await tell(redis.incr('a'));
      await tell(redis.get());
      await tell(redis.call('nonsense'));`);
    expect(found[0]).toBe('ReplyError: ERR value is not an integer or out of range');
    expect(found[1]).toMatch(/^ReplyError: ERR wrong number of arguments for 'get' command/);
    expect(found[2]).toMatch(/^ReplyError: ERR unknown command/);
  });

  it('take a callback, and nobody waits for what it returns', async () => {
    const history = await run(`
      await new Promise((resolve) => {
        redis.set('a', 'x', (error, value) => { show(error, value); return Promise.reject(new Error('mine')).catch(() => resolve()); });
      });
      await new Promise((resolve) => {
        redis.incr('a', (error) => { show(error); resolve(); const late = Promise.reject(new Error('late')); late.catch(() => {}); return late; });
      });`);
    expect(printed(history)).toEqual([
      'null "OK"',
      'ReplyError: ERR value is not an integer or out of range',
    ]);
    expect(eventsOf(history, 'trouble')).toEqual([]);
  });

  it('take one round trip each, however many are under way', async () => {
    const history = await run(`
      await Promise.all([redis.get('a'), redis.get('b'), redis.get('c')]);
      show(performance.now());`);
    expect(printed(history)).toEqual(['10']);
    expect(timesOf(history, 'apply')).toEqual([5, 5, 5]);
  });
});

describe('scripts', () => {
  it('EVALSHA answers NOSCRIPT until EVAL has brought the script', async () => {
    const found = await lines(`
      const sha = 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db';
      await tell(redis.evalsha(sha, 0));
      await tell(redis.eval('return 1', 0));
      await tell(redis.evalsha(sha, 0));
      await tell(redis.eval('return {KEYS[1], ARGV[1], false}', 1, 'k', 'v'));`);
    expect(found[0]).toMatch(/^ReplyError: NOSCRIPT/);
    expect(found.slice(1)).toEqual(['1', '1', '["k","v",null]']);
  });

  it('defineCommand sends the text on a connection’s first call, and again to a server that forgot it', async () => {
    const history = await run(`
      redis.defineCommand('plus', { numberOfKeys: 1, lua: 'return redis.call("incrby", KEYS[1], ARGV[1])' });
      await tell(redis.plus('n', 2));
      await tell(redis.plus('n', 3));
      await new Promise((resolve) => redis.plus('n', 4, (error, value) => { show(value); resolve(); }));
      await redis.script('FLUSH');
      await tell(redis.plus('n', 5));
      const other = redis.duplicate();
      other.defineCommand('plus', { numberOfKeys: 1, lua: 'return redis.call("incrby", KEYS[1], ARGV[1])' });
      await tell(other.plus('n', 6));`);
    expect(printed(history)).toEqual(['2', '5', '9', '14', '20']);
    expect(eventsOf(history, 'apply').map(({ args }) => args[0])).toEqual([
      'EVAL',
      'EVALSHA',
      'EVALSHA',
      'SCRIPT',
      'EVALSHA',
      'EVAL',
      'EVAL',
    ]);
  });
});

describe('pipelines and transactions', () => {
  it('a pipeline travels together and resolves to pairs', async () => {
    const history = await run(`
      const pairs = await redis.pipeline().set('a', 'x').incr('a').get('a').exec();
      for (const [error, value] of pairs) show(error ?? value);
      show(performance.now());`);
    expect(printed(history)).toEqual([
      '"OK"',
      'ReplyError: ERR value is not an integer or out of range',
      '"x"',
      '10',
    ]);
  });

  it('MULTI is atomic, and null when a watched key has changed', async () => {
    const found = await lines(`
      await tell(redis.multi().set('a', 1).incr('a').exec());
      await redis.watch('a');
      await redis.set('a', 7);
      await tell(redis.multi().incr('a').exec());`);
    expect(found).toEqual(['[[null,"OK"],[null,2]]', 'null']);
  });
});

describe('connections', () => {
  const silent: ScenarioInput['faults'] = [{ atMs: 0, do: 'hold', from: 'redis-1', to: 'p1', forMs: 500 }];

  it('without a command time-out a silent server is waited for', async () => {
    const found = await lines(`await tell(redis.get('a')); show(performance.now());`, { faults: silent });
    expect(found).toEqual(['null', '505']);
  });

  it('a command time-out rejects in the words of ioredis, and keeps the connection', async () => {
    const history = await run(
      `await tell(redis.set('a', 'x')); show(redis.status, performance.now()); await sleep(600); await tell(redis.get('a'));`,
      { faults: silent, processes: { count: 1, client: { commandTimeoutMs: 50 } } },
    );
    expect(printed(history)).toEqual(['Error: Command timed out', '"ready" 50', '"x"']);
    expect(eventsOf(history, 'reply').map(({ outcome }) => outcome)).toEqual(['timeout', 'ok']);
  });

  it('reconnectOnTimeout leaves the old bytes in flight, behind those of the new connection', async () => {
    const history = await run(
      `await tell(redis.set('a', 'old')); await tell(redis.set('a', 'new')); await sleep(200); await tell(redis.get('a'));`,
      {
        faults: [{ on: { event: 'sent', process: 'p1', nth: 1 }, do: 'delay', byMs: 150 }],
        processes: { count: 1, client: { commandTimeoutMs: 50, reconnectOnTimeout: true } },
      },
    );
    expect(printed(history)).toEqual(['Error: Command timed out', '"OK"', '"old"']);
    const sets = eventsOf(history, 'apply', ({ args }) => args[0] === 'SET');
    expect(sets.map(({ args }) => args[2])).toEqual(['new', 'old']);
  });

  it('a reset rejects what is in flight; what is asked then waits for the new connection', async () => {
    const found = await lines(
      `for (const event of ['close', 'reconnecting', 'ready']) redis.on(event, () => console.log(event, performance.now()));
       redis.on('error', (error) => console.log(error.code));
       await tell(redis.set('a', 'x'));
       await tell(redis.get('a'));
       show(performance.now());`,
      { faults: [{ on: { event: 'voted', process: 'p1' }, do: 'reset', from: 'p1', to: 'redis-1' }] },
    );
    expect(found).toEqual([
      'ECONNRESET',
      'close 5',
      'reconnecting 5',
      'Error: Connection is closed.',
      'ready 65',
      '"x"',
      '75',
    ]);
  });

  it('without an offline queue a command fails at once', async () => {
    const found = await lines(`await tell(redis.set('a', 'x')); await tell(redis.get('a'));`, {
      faults: [{ on: { event: 'voted', process: 'p1' }, do: 'reset', from: 'p1', to: 'redis-1' }],
      processes: { count: 1, client: { offlineQueue: false } },
    });
    expect(found[1]).toBe("Error: Stream isn't writeable and enableOfflineQueue options is false");
  });

  it('waiting commands are given up after the retries that are allowed', async () => {
    const found = await lines(
      `await sleep(10); await tell(redis.get('a')); await tell(redis.get('a')); show(performance.now());`,
      {
        faults: [{ atMs: 5, do: 'crash', host: 'redis-1' }],
        processes: { count: 1, client: { maxRetriesPerRequest: 2 } },
      },
    );
    expect(found[0]).toMatch(/Reached the max retries per request limit \(which is 2\)/);
  });

  it('quit and disconnect end it for good', async () => {
    const found = await lines(`
      await tell(redis.quit());
      show(redis.status);
      await tell(redis.get('a'));`);
    expect(found).toEqual(['"OK"', '"end"', 'Error: Connection is closed.']);
  });
});
