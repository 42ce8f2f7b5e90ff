/** Generated command sequences on the native engine and on a real server, compared reply by reply. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../lua/fengari.js';
import { keyspaceHost, modeOf, QUEUED, StatusReply, type Reply } from '../keyspace.js';
import { existsIn, LOADING_OK, NO_SCRIPT, WRITE } from '../native/command.js';
import { COMMANDS } from '../native/commands.js';
import { createNativeKeyspace } from '../native/keyspace.js';
import { SEQUENCES, type Step } from './arbitrary-commands.js';
import { installedRedis, RealRedis, type RealConnection } from './real-redis.js';

const RUNS = Number(process.env['CONFORMANCE_RUNS'] ?? 150);
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20_261_129);

const UNORDERED = new Set(['keys', 'smembers', 'hkeys', 'hvals', 'scan']);
/** Milliseconds that may lie between the two executions of a command. */
const TOLERANCE_MS = 5_000;
const TIMED: Readonly<Record<string, number>> = { ttl: 1000, expiretime: 1000, pttl: 1, pexpiretime: 1 };

/** A reply without what may differ: order where there is none, and the time that passed. */
function comparable(args: readonly string[], reply: Reply, native: Reply): Reply {
  const name = args[0]!.toLowerCase();
  const unit = TIMED[name];
  if (
    unit !== undefined &&
    typeof reply === 'number' &&
    typeof native === 'number' &&
    reply > 0 &&
    native > 0
  ) {
    return Math.abs(reply - native) * unit <= TOLERANCE_MS ? native : reply;
  }
  if (!Array.isArray(reply)) return reply;
  if (name === 'scan') return [reply[0]!, sorted(reply[1] as Reply[])];
  if (UNORDERED.has(name)) return sorted(reply as Reply[]);
  if (name === 'hgetall') {
    const pairs: string[] = [];
    for (let i = 0; i < reply.length; i += 2) pairs.push(`${String(reply[i])}\u0100${String(reply[i + 1])}`);
    return sorted(pairs);
  }
  return reply;
}

function sorted(items: readonly Reply[]): Reply[] {
  return [...items].sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

function isQueued(reply: Reply): boolean {
  return reply instanceof StatusReply && reply.text === QUEUED.text;
}

/** Both sides of one reply, made comparable; EXEC's replies each by the command they answer. */
function bothSides(
  args: readonly string[],
  real: Reply,
  native: Reply,
  queue: (readonly string[])[],
): [Reply, Reply] {
  if (args[0]!.toLowerCase() === 'exec' && Array.isArray(real) && Array.isArray(native)) {
    const pairs = real.map((each, i) => bothSides(queue[i] ?? [''], each as Reply, native[i] as Reply, []));
    return [pairs.map(([a]) => a), pairs.map(([, b]) => b).concat(native.slice(pairs.length) as Reply[])];
  }
  return [comparable(args, real, native), comparable(args, native, native)];
}

const version = installedRedis();

describe.skipIf(version === undefined)(
  `native answers as redis-server ${version ?? '(not installed)'} does`,
  () => {
    let redis: RealRedis;
    beforeAll(async () => {
      redis = await RealRedis.start();
    });
    afterAll(() => redis?.stop());

    async function compare(steps: readonly Step[]): Promise<void> {
      const connections: RealConnection[] = [await redis.connect(), await redis.connect()];
      void connections[0]!.send(['FLUSHALL']);
      await connections[0]!.send(['SCRIPT', 'FLUSH']);
      const replies = await answers(connections, steps);
      for (const connection of connections) connection.close();

      const keyspace = createNativeKeyspace(modeOf(), keyspaceHost());
      const sessions = [keyspace.openSession(), keyspace.openSession()];
      const queues: (readonly string[])[][] = [[], []];
      const wallUs = Date.now() * 1000;
      steps.forEach(({ connection, args }, i) => {
        const native = keyspace.execute(sessions[connection]!, args, wallUs);
        const queue = queues[connection]!;
        const [expected, actual] = bothSides(args, replies[i]!, native, queue);
        expect(actual, `${i}: ${JSON.stringify(args)}`).toEqual(expected);
        if (isQueued(native)) queue.push(args);
        else if (/^(exec|discard|multi)$/i.test(args[0]!)) queue.length = 0;
      });
    }

    /** Sends the steps in order: one connection's command is answered before the other connection sends. */
    async function answers(connections: readonly RealConnection[], steps: readonly Step[]): Promise<Reply[]> {
      const replies: Promise<Reply>[] = [];
      let last = 0;
      for (const { connection, args } of steps) {
        if (connection !== last) await replies.at(-1);
        last = connection;
        replies.push(connections[connection]!.send(args));
      }
      return Promise.all(replies);
    }

    test('in arity and flags of every command', async () => {
      const connection = await redis.connect();
      for (const command of COMMANDS.all.flatMap((each) => [...(each.subcommands?.values() ?? [each])])) {
        if (!existsIn(modeOf(), command)) continue;
        const [info] = (await connection.send(['COMMAND', 'INFO', command.name])) as Reply[][];
        const flags = (info![2] as StatusReply[]).map((flag) => flag.text);
        const has = (flag: string) => flags.includes(flag);
        const ours = { arity: command.arity, write: (command.flags & WRITE) !== 0 };
        expect(
          {
            ...ours,
            loading: (command.flags & LOADING_OK) !== 0,
            noscript: (command.flags & NO_SCRIPT) !== 0,
          },
          command.name,
        ).toEqual({
          arity: info![1],
          write: has('write'),
          loading: has('loading'),
          noscript: has('noscript'),
        });
      }
      connection.close();
    });

    test.each(Object.entries(SEQUENCES))('on %s', async (_name, sequence) => {
      await fc.assert(fc.asyncProperty(sequence, compare), { seed: SEED, numRuns: RUNS });
    });
  },
);
