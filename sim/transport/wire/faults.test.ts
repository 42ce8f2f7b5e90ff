/** What clients do by themselves when the network or a server fails: all of it is theirs, and differs between them. */
import { describe, expect, it } from 'vitest';
import type { History } from '../../history/events.js';
import { eventsOf, printed } from '../../testing/simulated.js';
import { PACKAGES, program } from './testing.js';

const SENDS_AGAIN: ReadonlySet<string> = new Set(['ioredis', 'ioredis@6']);

/** The outcome of a promise, with the time. */
const TIMED = `
  const t0 = performance.now();
  const settled = async (promise) => {
    const outcome = await promise.then((value) => 'got ' + value, (error) => error.message);
    say(Math.round(performance.now() - t0), outcome);
  };`;

const commandsOf = (history: History): string[] =>
  eventsOf(history, 'apply').map(
    ({ host, args, reply }) => `${host} ${args[0]!.toLowerCase()} ${args[1]} ${reply}`,
  );

describe.each(PACKAGES)('%s', (clientPackage) => {
  const sendsAgain = SENDS_AGAIN.has(clientPackage);

  it('a reset after the command and before its reply: ioredis sends it again, node-redis rejects', async () => {
    const set = sendsAgain ? `redis.set('k', 'v', 'NX')` : `redis.set('k', 'v', { NX: true })`;
    const history = await program(`${TIMED} await settled(${set});`, {
      clientPackage,
      faults: [{ on: { event: 'applied', command: 'SET' }, do: 'reset', from: 'p1', to: 'redis-1' }],
    });
    expect(commandsOf(history)).toEqual(
      sendsAgain ? ['redis-1 set k OK', 'redis-1 set k (nil)'] : ['redis-1 set k OK'],
    );
    expect(printed(history)).toEqual([
      sendsAgain ? expect.stringMatching(/^\d+ got null$/) : '5 read ECONNRESET',
    ]);
    expect(eventsOf(history, 'reply').map(({ outcome }) => outcome)).toEqual(
      sendsAgain ? ['disconnected', 'ok'] : ['disconnected'],
    );
  });

  it('the server is down for a while: the command waits, and is served by the next connection', async () => {
    const history = await program(`${TIMED} await sleep(100); await settled(redis.incr('k'));`, {
      clientPackage,
      faults: [{ atMs: 50, do: 'crash', host: 'redis-1', restartAfterMs: 1000 }],
    });
    expect(commandsOf(history)).toEqual(['redis-1 incr k 1']);
    expect(printed(history)).toEqual([expect.stringMatching(/^1[0-2]\d\d got 1$/)]);
    expect(history.events.at(-1)).toMatchObject({ kind: 'end', reason: 'done' });
  });

  it('the server is down for good and nobody waits for it: the run ends', async () => {
    const history = await program(`await sleep(100); say('done');`, {
      clientPackage,
      faults: [{ atMs: 50, do: 'crash', host: 'redis-1' }],
    });
    const end = history.events.at(-1)!;
    expect(end).toMatchObject({ kind: 'end', reason: 'done' });
    expect(end.tUs).toBeLessThan(1_000_000);
  });

  it('a cut of 8 s: the command is late, not lost', async () => {
    const history = await program(`${TIMED} await settled(redis.incr('k'));`, {
      clientPackage,
      faults: [{ atMs: 0.001, do: 'partition', from: 'p1', to: 'redis-1', forMs: 8000 }],
    });
    expect(commandsOf(history)).toEqual(['redis-1 incr k 1']);
    expect(printed(history)).toEqual(['8010 got 1']);
  });

  it('a cut that outlasts the connection: a minute later ioredis sends it again, node-redis rejects', async () => {
    const history = await program(`${TIMED} await settled(redis.incr('k'));`, {
      clientPackage,
      limits: { virtualMs: 200_000 },
      faults: [{ atMs: 0.001, do: 'partition', from: 'p1', to: 'redis-1', forMs: 70_000 }],
    });
    expect(commandsOf(history)).toEqual(sendsAgain ? ['redis-1 incr k 1'] : []);
    expect(printed(history)).toEqual([
      sendsAgain ? expect.stringMatching(/^70\d\d\d got 1$/) : '60005 read ETIMEDOUT',
    ]);
  });
});

describe.each(['ioredis', 'ioredis@6'] as const)('%s', (clientPackage) => {
  const faults = [{ atMs: 0.001, do: 'partition' as const, from: 'p1', to: 'redis-1', forMs: 8000 }];

  it('a command timeout rejects, and the command is executed all the same', async () => {
    const client = { commandTimeoutMs: 2000 };
    const history = await program(
      `${TIMED} await settled(redis.incr('k')); await sleep(7000); await settled(redis.get('k'));`,
      {
        clientPackage,
        processes: { client },
        faults,
      },
    );
    expect(printed(history)).toEqual(['2000 Command timed out', '9010 got 1']);
  });

  it('without an offline queue a command fails at once', async () => {
    const history = await program(`${TIMED} await sleep(100); await settled(redis.incr('k'));`, {
      clientPackage,
      processes: { client: { offlineQueue: false } },
      faults: [{ atMs: 50, do: 'crash', host: 'redis-1' }],
    });
    expect(printed(history)).toEqual(["100 Stream isn't writeable and enableOfflineQueue options is false"]);
  });

  it('waiting commands are given up after so many attempts', async () => {
    const history = await program(`${TIMED} await sleep(100); await settled(redis.incr('k'));`, {
      clientPackage,
      processes: { client: { maxRetriesPerRequest: 3 } },
      faults: [{ atMs: 50, do: 'crash', host: 'redis-1' }],
    });
    expect(printed(history)).toEqual([
      expect.stringMatching(/^\d+ Reached the max retries per request limit \(which is 3\)/),
    ]);
  });
});

describe.each(['ioredis', 'ioredis@6', 'redis', 'redis@6'] as const)('%s', (clientPackage) => {
  it('finds the master by the Sentinels, and the next one after a failover', async () => {
    const history = await program(
      `${TIMED} await settled(redis.set('a', 1)); await sleep(5000); await settled(redis.set('a', 2));`,
      {
        clientPackage,
        limits: { virtualMs: 100_000 },
        servers: { count: 1, replicas: 1, sentinels: { count: 3, quorum: 2, downAfterMs: 1000 } },
        faults: [{ atMs: 50, do: 'crash', host: 'redis-1' }],
      },
    );
    expect(commandsOf(history)).toEqual(['redis-1 set a OK', 'redis-1-replica-1 set a OK']);
  });
});

describe.each(PACKAGES)('%s in a cluster', (clientPackage) => {
  it('each key at its node', async () => {
    const history = await program(
      `for (const key of ['a', 'b', 'c']) await redis.set(key, key);
       say(await redis.get('a'), await redis.get('b'), await redis.get('c'));`,
      { clientPackage, servers: { count: 3, cluster: {} } },
    );
    expect(printed(history)).toEqual(['a b c']);
    expect(commandsOf(history).slice(0, 3)).toEqual([
      'redis-3 set a OK',
      'redis-1 set b OK',
      'redis-2 set c OK',
    ]);
  });
});

describe.each(['ioredis', 'redis'] as const)('%s', (clientPackage) => {
  it('is sent on by MOVED: a plain client hears it, a cluster client follows', async () => {
    const direct =
      clientPackage === 'ioredis'
        ? `redis.nodes('master')[0].set`
        : `(await redis.nodeClient(redis.masters[0])).set`;
    const history = await program(
      `const errors = [];
       for (const key of ['a', 'b', 'c']) await ${direct}.call(${direct.replace(/\.set$/, '')}, key, 'x').catch((error) => errors.push(error.message));
       say(errors.length, errors[0].slice(0, 5));`,
      { clientPackage, servers: { count: 3, cluster: {} } },
    );
    expect(printed(history)).toEqual(['2 MOVED']);
  });
});
