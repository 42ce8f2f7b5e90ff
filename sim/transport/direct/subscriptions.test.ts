/** Pub/sub of a direct client: ioredis' promises, events and errors, and what a reconnection loses. */
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../scenario/schema.js';
import { lockModule, printed, simulated } from '../../testing/simulated.js';

/** Runs the text with `redis`, a `subscriber` beside it, `show(...)`, `tell(promise)` and `sleep(ms)`; gives what it printed. */
async function lines(body: string, scenario: Partial<ScenarioInput> = {}): Promise<string[]> {
  const lock = lockModule(`
    const redis = env.clients[0];
    const subscriber = redis.duplicate();
    const show = (...values) => console.log(values.map((value) => value instanceof Error ? value.name + ': ' + value.message : JSON.stringify(value)).join(' '));
    const tell = (promise) => promise.then(show, show);
    const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    for (const event of ['message', 'pmessage']) subscriber.on(event, (...args) => show(event, ...args));
    ${body}
    subscriber.disconnect();
    return { release: async () => {} };`);
  return printed(await simulated({ workload: { workMs: 0, steps: 0 }, ...scenario }, lock));
}

describe('subscriptions', () => {
  it('count, and bring messages as events', async () => {
    const found = await lines(`
      await tell(subscriber.subscribe('a', 'b'));
      await tell(subscriber.psubscribe('x*'));
      await tell(redis.publish('b', 'é'));
      await tell(redis.publish('xy', 'z'));
      await tell(redis.publish('c', 'nobody'));
      await sleep(20);`);
    expect(found).toEqual(['2', '3', '"message" "b" "é"', '1', '"pmessage" "x*" "xy" "z"', '1', '0']);
  });

  it('take a callback', async () => {
    const found = await lines(`
      await new Promise((resolve) => subscriber.subscribe('a', (error, count) => { show(error, count); resolve(); }));`);
    expect(found).toEqual(['null 1']);
  });

  it('several commands at once are told apart', async () => {
    const found = await lines(`
      await Promise.all([
        tell(subscriber.subscribe('a', 'b')), tell(subscriber.psubscribe('p')), tell(subscriber.subscribe('c')),
        tell(subscriber.unsubscribe('a')), tell(subscriber.ping()),
      ]);`);
    expect(found).toEqual(['2', '3', '4', '3', '["pong",""]']);
  });

  it('end one by one, or all at once; then the connection takes other commands again', async () => {
    const found = await lines(`
      await subscriber.subscribe('a', 'b', 'c');
      await tell(subscriber.unsubscribe('a'));
      await tell(subscriber.get('k'));
      await tell(subscriber.unsubscribe());
      await tell(subscriber.get('k'));
      await tell(redis.publish('b', 'x'));`);
    expect(found).toEqual([
      '2',
      'Error: Connection in subscriber mode, only subscriber commands may be used',
      '0',
      'null',
      '0',
    ]);
  });

  it('a pipeline may hold them', async () => {
    const found = await lines(`
      await tell(subscriber.pipeline().subscribe('a').ping().exec());
      const [[error]] = await subscriber.pipeline().get('k').exec();
      show(error);`);
    expect(found[0]).toBe('[[null,1],[null,["pong",""]]]');
    expect(found[1]).toMatch(/Connection in subscriber mode/);
  });
});

describe('a reconnection', () => {
  const reset: ScenarioInput['faults'] = [{ atMs: 100, do: 'reset', from: 'p1', to: 'redis-1' }];

  it('subscribes again, and loses what was published meanwhile', async () => {
    const found = await lines(
      `subscriber.on('ready', () => show('ready'));
       await subscriber.subscribe('a');
       await sleep(110 - performance.now());
       const publisher = redis.duplicate();
       await tell(publisher.publish('a', 'lost'));
       await sleep(100);
       await tell(publisher.publish('a', 'heard'));
       await sleep(20);`,
      { faults: reset },
    );
    expect(found).toEqual(['"ready"', '0', '"ready"', '"message" "a" "heard"', '1']);
  });

  it('forgets what was given up before', async () => {
    const found = await lines(
      `await subscriber.subscribe('a', 'b');
       await subscriber.unsubscribe('a');
       await sleep(300);
       await tell(redis.publish('a', 'x'));
       await tell(redis.publish('b', 'y'));
       await sleep(20);`,
      { faults: reset },
    );
    expect(found).toEqual(['0', '"message" "b" "y"', '1']);
  });
});

describe('duplicate', () => {
  it('opens a connection of its own: what is asked waits for it', async () => {
    const found = await lines(`
      const other = redis.duplicate({ commandTimeout: 12 });
      show(other.status, other.options.commandTimeout);
      await tell(other.set('k', 'v'));
      show(performance.now());
      await sleep(20);
      await tell(other.set('k', 'v'));
      await tell(redis.get('k'));`);
    expect(found).toEqual(['"connecting" 12', 'Error: Command timed out', '12', '"OK"', '"v"']);
  });
});
