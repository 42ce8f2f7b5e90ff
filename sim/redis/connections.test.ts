import { describe, expect, it } from 'vitest';
import { lockModule, printed, simulated } from '../testing/simulated.js';

/** What the program printed, on one server at 5 ms. */
async function says(program: string): Promise<string[]> {
  return printed(await simulated({}, lockModule(`${program}\nthrow new Error('enough');`)));
}

describe('a command that waits', () => {
  it('gives up by itself, though nothing happens on the server', async () => {
    expect(
      await says(`
        const [redis] = env.clients;
        const from = performance.now();
        console.log(await redis.blpop('a', 1), Math.round(performance.now() - from));
      `),
    ).toEqual(['null 1011']);
  });

  it('is served by another client, and what its connection sent meanwhile follows', async () => {
    expect(
      await says(`
        const [redis] = env.clients;
        const other = redis.duplicate();
        setTimeout(() => void other.rpush('a', 'x', 'y'), 100);
        const both = [redis.blpop('a', 0), redis.llen('a')];
        console.log(JSON.stringify(await Promise.all(both)));
      `),
    ).toEqual(['[["a","x"],1]']);
  });

  it('holds its pipeline back, and goes on with it', async () => {
    expect(
      await says(`
        const [redis] = env.clients;
        const other = redis.duplicate();
        setTimeout(() => void other.rpush('a', 'x'), 100);
        console.log(JSON.stringify(await redis.pipeline().blpop('a', 0).set('b', '1').get('b').exec()));
      `),
    ).toEqual(['[[null,["a","x"]],[null,"OK"],[null,"1"]]']);
  });
});

describe('CLIENT PAUSE', () => {
  it('keeps writes waiting for as long as it says', async () => {
    expect(
      await says(`
        const [redis] = env.clients;
        const other = redis.duplicate();
        await redis.client('PAUSE', 500, 'WRITE');
        const from = performance.now();
        console.log(await other.get('a'), await other.set('a', '1'));
        console.log(Math.round(performance.now() - from) >= 490);
      `),
    ).toEqual(['null OK', 'true']);
  });
});

describe('a slow command', () => {
  it('keeps the server from all others', async () => {
    expect(
      await says(`
        const [redis] = env.clients;
        const other = redis.duplicate();
        const from = performance.now();
        const slow = redis.call('DEBUG', 'SLEEP', '0.3').then(() => Math.round(performance.now() - from));
        await new Promise((resolve) => setTimeout(resolve, 20));
        const asked = performance.now();
        await other.ping();
        console.log(Math.round(performance.now() - asked), await slow);
      `),
    ).toEqual(['290 310']);
  });

  it('may be a script: SCRIPT KILL ends one that does not end', async () => {
    expect(
      await says(`
        const [redis] = env.clients;
        const other = redis.duplicate();
        const endless = redis.eval('while true do end', 0).catch((error) => error.message.split(':')[0]);
        await new Promise((resolve) => setTimeout(resolve, 6000));
        console.log(await other.get('a').catch((error) => error.message));
        console.log(await other.script('KILL'), await endless, await other.get('a'));
      `),
    ).toEqual([
      'BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.',
      'OK ERR Script killed by user with SCRIPT KILL... script null',
    ]);
  });
});
