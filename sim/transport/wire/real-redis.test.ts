/**
 * The same programs with the same client packages, on a real redis-server and on the wire: the same values and errors, in
 * either protocol. Skipped by name where there is no redis-server.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRedis, whyNoRedis, type RealRedis } from '../../../src/testing/real-redis.js';
import { output, PACKAGES } from './testing.js';

const missing = whyNoRedis();

/** Sees `run(name, ...args)`, which sends any command. */
const COMMANDS = `
  const shown = async (...args) => say(args.join(' '), '=>', JSON.stringify(await run(...args).catch((error) => error.message)) ?? 'undefined');
  await shown('FLUSHALL');
  await shown('SET', 'k', 'é', 'PX', '100000', 'NX');
  await shown('SET', 'k', 'x', 'NX');
  await shown('GET', 'k');
  await shown('GET', 'none');
  await shown('STRLEN', 'k');
  await shown('INCR', 'k');
  await shown('INCRBYFLOAT', 'f', '1.5');
  await shown('SET', 'big', '9007199254740991');
  await shown('INCR', 'big');
  await shown('HSET', 'h', 'a', '1', 'b', '2');
  await shown('HGETALL', 'h');
  await shown('HGETALL', 'none');
  await shown('HMGET', 'h', 'a', 'c');
  await shown('LPUSH', 'h', 'x');
  await shown('SADD', 's', 'x');
  await shown('SMEMBERS', 's');
  await shown('ZADD', 'z', '1', 'a', '2.5', 'b');
  await shown('ZRANGE', 'z', '0', '-1', 'WITHSCORES');
  await shown('ZSCORE', 'z', 'b');
  await shown('ZINCRBY', 'z', '0.25', 'b');
  await shown('RPUSH', 'l', '1', '2', '3');
  await shown('LRANGE', 'l', '0', '-1');
  await shown('BLPOP', 'l', '0');
  await shown('EVAL', "return {1, 'two', false, {'three', 4}, redis.status_reply('FINE')}", '0');
  await shown('EVAL', "return redis.error_reply('MINE no')", '0');
  await shown('EVAL', "return redis.call('incr', 'h')", '0');
  await shown('EVALSHA', 'ffffffffffffffffffffffffffffffffffffffff', '0');
  await shown('MULTI');
  await shown('INCR', 'n');
  await shown('HGETALL', 'h');
  await shown('INCR', 'h');
  await shown('EXEC');
  await shown('MULTI');
  await shown('NOSUCH', 'x');
  await shown('EXEC');
  await shown('WATCH', 'n');
  await shown('INCR', 'n');
  await shown('MULTI');
  await shown('GET', 'n');
  await shown('EXEC');
  await shown('TTL', 'none');
  await shown('TYPE', 'z');
  await shown('GET');
  await shown('CLIENT', 'GETNAME');
  await shown('CONFIG', 'GET', 'maxmemory-policy');
  await shown('PING', 'héllo');
  await shown('ECHO', '');`;

const runOf = (clientPackage: string): string =>
  clientPackage.startsWith('ioredis')
    ? `const run = (name, ...args) => redis.call(name, ...args);`
    : `const run = (...args) => redis.sendCommand(args);`;

interface RealClient {
  on(event: string, listener: () => void): unknown;
  connect?(): Promise<unknown>;
  disconnect(): unknown;
}

async function realClient(clientPackage: string, { port, url }: RealRedis): Promise<RealClient> {
  const module = (await import(clientPackage.replace('@', '-'))) as {
    Redis?: new (options: object) => RealClient;
    createClient?: (options: object) => RealClient;
  };
  if (module.Redis !== undefined) return new module.Redis({ port, host: '127.0.0.1' });
  const client = module.createClient!({ url });
  client.on('error', () => {});
  await client.connect!();
  return client;
}

type Program = (redis: unknown, say: (...words: string[]) => void) => Promise<void>;

describe.skipIf(missing !== undefined)(
  `real Redis${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let server: RealRedis;
    beforeAll(async () => {
      server = await startRedis();
    });
    afterAll(() => server?.stop());

    it.each(PACKAGES)('%s gets the same from both', async (clientPackage) => {
      const body = runOf(clientPackage) + COMMANDS;
      const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Program;
      const lines: string[] = [];
      const client = await realClient(clientPackage, server);
      await new AsyncFunction('redis', 'say', body)(client, (...words) => lines.push(words.join(' ')));
      client.disconnect();
      expect(lines).toHaveLength(48);
      expect(await output(body, { clientPackage })).toEqual(lines);
    });
  },
);
