/** Real client packages on the wire: handshake, commands, pipelines, transactions, pub/sub, blocking commands, both protocols. */
import { describe, expect, it } from 'vitest';
import { digest } from '../../history/digest.js';
import { eventsOf } from '../../testing/simulated.js';
import { output, PACKAGES, program } from './testing.js';

const IOREDIS = ['ioredis', 'ioredis@6'] as const;
const NODE_REDIS = ['redis@4', 'redis', 'redis@6'] as const;

describe.each(PACKAGES)('%s', (clientPackage) => {
  it('is ready when the program begins, and its greeting is no part of the history', async () => {
    const history = await program(`say(await redis.set('k', 'v'), await redis.get('k'));`, { clientPackage });
    const commands = eventsOf(history, 'apply').map(({ tUs, args }) => [
      tUs,
      args[0]!.toLowerCase(),
      args[1],
    ]);
    expect(commands).toEqual([
      [5001, 'set', 'k'],
      [15_001, 'get', 'k'],
    ]);
    expect(eventsOf(history, 'print').map(({ line }) => line)).toEqual(['OK v']);
    expect(eventsOf(history, 'trouble')).toEqual([]);
  });

  it('carries bytes that are no text', async () => {
    const get = clientPackage.startsWith('ioredis')
      ? `redis.call('STRLEN', 'k')`
      : `redis.sendCommand(['STRLEN', 'k'])`;
    const lines = await output(
      `await redis.set('k', Buffer.from([0, 255, 13, 10])); say(await ${get});
       await redis.set('k', 'é€'); say(await ${get}, await redis.get('k'));`,
      { clientPackage },
    );
    expect(lines).toEqual(['4', '5 é€']);
  });

  it('the same seed gives the same digest, also with segments cut at random', async () => {
    const body = `await redis.set('k', 'x'.repeat(300)); say((await redis.get('k')).length);`;
    const once = await program(body, { clientPackage, network: { latencyMs: [1, 9] } });
    const again = await program(body, { clientPackage, network: { latencyMs: [1, 9] } });
    // Another file each time, and nothing else.
    expect(digest({ ...again, header: once.header })).toBe(digest(once));
    const cut = await program(body, { clientPackage, network: { latencyMs: [1, 9], cut: 1 } });
    expect(eventsOf(cut, 'message').length).toBeGreaterThan(eventsOf(once, 'message').length);
    expect(eventsOf(cut, 'print').map(({ line }) => line)).toEqual(['300']);
  });
});

describe.each(IOREDIS)('%s', (clientPackage) => {
  it('pipelines, transactions, pub/sub, blocking pops', async () => {
    const lines = await output(
      `say(await redis.pipeline().set('a', 1).incr('a').get('a').exec());
       say(await redis.multi().set('a', 5).incr('a').exec());
       await redis.watch('a'); await redis.duplicate().on('error', () => {}).set('a', 1);
       say(await redis.multi().incr('a').exec());
       const sub = redis.duplicate();
       sub.on('error', () => {}).on('message', (channel, message) => say('message', channel, message));
       say(await sub.subscribe('news'), await redis.publish('news', 'hello'));
       const blocked = redis.duplicate().on('error', () => {});
       const pop = blocked.blpop('list', 0).then((popped) => say('popped', popped));
       await sleep(50);
       say(await redis.rpush('list', 'x')); await pop;
       say(await blocked.blpop('list', 1));
       say(await redis.zadd('z', 1.5, 'm'), await redis.zscore('z', 'm'), await redis.hset('h', 'f', 'v'),
         await redis.hgetall('h'), await redis.smembers('none'));
       say(await redis.get('h').catch((error) => error.name + ' ' + error.message));
       say(await redis.eval('return {KEYS[1], ARGV[1]}', 1, 'k', 'x'), await redis.quit());`,
      { clientPackage },
    );
    expect(lines).toEqual([
      '[[null,"OK"],[null,2],[null,"2"]]',
      '[[null,"OK"],[null,6]]',
      'null',
      'message news hello',
      '1 1',
      'popped ["list","x"]',
      '1',
      'null',
      '1 1.5 1 {"f":"v"} []',
      'ReplyError WRONGTYPE Operation against a key holding the wrong kind of value',
      '["k","x"] OK',
    ]);
  });
});

describe.each(NODE_REDIS)('%s', (clientPackage) => {
  it('commands together, transactions, pub/sub, blocking pops', async () => {
    const lines = await output(
      `say(await Promise.all([redis.set('a', 1), redis.incr('a'), redis.get('a')]));
       say(await redis.multi().set('a', 5).incr('a').exec());
       const sub = redis.duplicate(); sub.on('error', () => {}); await sub.connect();
       await sub.subscribe('news', (message, channel) => say('message', channel, message));
       say(await redis.publish('news', 'hello'));
       const blocked = redis.duplicate(); blocked.on('error', () => {}); await blocked.connect();
       const pop = blocked.blPop('list', 0).then((popped) => say('popped', popped));
       await sleep(50);
       say(await redis.rPush('list', 'x')); await pop;
       say(await redis.zAdd('z', { score: 1.5, value: 'm' }), await redis.zScore('z', 'm'));
       say(await redis.get('z').catch((error) => error.message));
       say(await redis.eval('return {KEYS[1], ARGV[1]}', { keys: ['k'], arguments: ['x'] }));
       await (redis.close ?? redis.quit).call(redis); say('closed');`,
      { clientPackage },
    );
    expect(lines).toEqual([
      '["OK",2,"2"]',
      '["OK",6]',
      'message news hello',
      '1',
      'popped {"key":"list","element":"x"}',
      '1',
      '1 1.5',
      'WRONGTYPE Operation against a key holding the wrong kind of value',
      '["k","x"]',
      'closed',
    ]);
  });
});

describe.each(['redis', 'redis@6'] as const)('%s', (clientPackage) => {
  it('speaks RESP3: maps, doubles, pushes on a connection that goes on with commands', async () => {
    const lines = await output(
      `const three = redis.duplicate({ RESP: 3 }); three.on('error', (error) => say(error.message));
       await three.connect();
       say((await three.sendCommand(['HELLO'])).proto, await three.hSet('h', 'f', 'v'), (await three.sendCommand(['HGETALL', 'h'])).f);
       say(await three.zAdd('z', { score: 1.5, value: 'm' }), await three.zScore('z', 'm'), await three.get('none'));
       await three.subscribe('news', (message, channel) => say('message', channel, message));
       say(await three.publish('news', 'hello'), await three.ping(), await redis.publish('news', 'more'));
       await sleep(20);`,
      { clientPackage },
    );
    expect(lines).toEqual(['3 1 v', '1 1.5 null', 'message news hello', 'message news more', '1 PONG 1']);
  });
});
