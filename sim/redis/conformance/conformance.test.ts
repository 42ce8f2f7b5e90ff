/** Generated command sequences on the native engine and on a real server whose clock stands still, byte for byte. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../lua/fengari.js';
import { ErrorReply, modeOf, NIL_ARRAY, StatusReply, type KeyspaceFactory, type Reply } from '../keyspace.js';
import { existsIn, LOADING_OK, NO_SCRIPT, WRITE } from '../native/command.js';
import { COMMANDS } from '../native/commands.js';
import { createNativeKeyspace } from '../native/keyspace.js';
import { campaign, shareOf } from './campaign.js';
import { firstDifference, printDifference } from './compare.js';
import { FAMILIES } from './families/all.js';
import { KeyspaceSubject } from './keyspace-subject.js';
import { missing, RealSubject } from './real-subject.js';
import { isCommand, type Step } from './step.js';

const RUNS = Number(process.env['CONFORMANCE_RUNS'] ?? 2000);
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20_261_129);
const families = Object.keys(FAMILIES);

/** What is not generated: commands of the server around the engine (docs/conformance.md). */
const OTHERS = [
  ...['debug', 'replicaof', 'slaveof', 'replconf', 'psync', 'sync'],
  ...['save', 'bgsave', 'lastsave', 'bgrewriteaof', 'shutdown', 'cluster'],
];

const lacking = missing();

describe.skipIf(lacking !== undefined)(
  `native answers as redis-server does${lacking ? ` (${lacking})` : ''}`,
  () => {
    let real: RealSubject;
    beforeAll(async () => {
      real = await RealSubject.start();
    });
    afterAll(() => real?.stop());

    const native = new KeyspaceSubject('native', createNativeKeyspace);

    test('in arity and flags of every command', async () => {
      for (const command of COMMANDS.all.flatMap((each) => [...(each.subcommands?.values() ?? [each])])) {
        if (!existsIn(modeOf(), command)) continue;
        const [info] = (await real.ask(['COMMAND', 'INFO', command.name])) as Reply[][];
        const flags = (info![2] as StatusReply[]).map((flag) => flag.text);
        expect(
          {
            arity: command.arity,
            write: (command.flags & WRITE) !== 0,
            loading: (command.flags & LOADING_OK) !== 0,
            noscript: (command.flags & NO_SCRIPT) !== 0,
          },
          command.name,
        ).toEqual({
          arity: info![1],
          write: flags.includes('write'),
          loading: flags.includes('loading'),
          noscript: flags.includes('noscript'),
        });
      }
    });

    test('on every command there is', () => {
      const generated = new Set<string>();
      for (const family of families) {
        for (const steps of fc.sample(FAMILIES[family]!, { numRuns: 300, seed: SEED })) {
          for (const step of steps) if (isCommand(step)) generated.add(step.args[0]!.toLowerCase());
        }
      }
      expect(COMMANDS.all.map(({ name }) => name).filter((name) => !generated.has(name))).toEqual(OTHERS);
      const unknown = [...generated].filter((name) => COMMANDS.find(name) === undefined);
      expect(unknown.sort()).toEqual(['', 'nosuch']);
    });

    test.each(families)(`on %s, seed ${SEED}`, async (family) => {
      const runs = shareOf(family, RUNS / families.length);
      const { failure } = await campaign({ real, other: native, runs, seed: SEED, families: [family] });
      expect(failure).toBeUndefined();
    });

    test('to a script that has written and never ends', async () => {
      const steps: Step[] = [
        { connection: 0, args: ['config', 'set', 'busy-reply-threshold', '1'] },
        { connection: 0, args: ['eval', 'redis.call("set", KEYS[1], "x") while true do end', '1', 'a'] },
        { connection: 1, args: ['script', 'kill'] },
        { connection: 1, args: ['get', 'a'] },
        { connection: 2, args: ['set', 'a', 'y'] },
        { connection: 2, args: ['multi'] },
        { connection: 2, args: ['get', 'a'] },
        { connection: 2, args: ['exec'] },
        { connection: 1, args: ['script', 'kill'] },
      ];
      // Nothing but its end stops this server.
      const doomed = await RealSubject.start();
      try {
        const difference = await firstDifference(doomed, native, steps);
        expect(difference && printDifference(steps, difference, doomed.name, native.name)).toBeUndefined();
      } finally {
        doomed.stop();
      }
    });

    describe('and the suite would see it if it did not', () => {
      const steps: Step[] = [
        { connection: 0, args: ['set', 'a', '1', 'px', '10'] },
        { moveUs: 10_000, expires: false },
        { connection: 1, args: ['get', 'a'] },
        { moveUs: 1000, expires: false },
        { connection: 1, args: ['get', 'a'] },
      ];

      /** The engine with other answers to one command. */
      const altered =
        (name: string, change: (reply: Reply, wallUs: number) => Reply): KeyspaceFactory =>
        (mode, host) => {
          const keyspace = createNativeKeyspace(mode, host);
          const execute = keyspace.execute.bind(keyspace);
          keyspace.execute = (session, args, wallUs) => {
            const reply = execute(session, args, wallUs);
            return args[0] === name ? change(reply, wallUs) : reply;
          };
          return keyspace;
        };

      test.each<[string, number, KeyspaceFactory]>([
        ['a wrong status', 0, altered('set', () => new StatusReply('ok'))],
        ['an error instead of a value', 2, altered('get', () => new ErrorReply('ERR'))],
        ['nil of the other kind', 4, altered('get', (reply) => (reply === null ? NIL_ARRAY : reply))],
        ['a key that lives a millisecond longer', 4, altered('get', (reply) => reply ?? '1')],
      ])('%s', async (_what, at, factory) => {
        expect(await firstDifference(real, new KeyspaceSubject('altered', factory), steps)).toMatchObject({
          at,
        });
        expect(await firstDifference(real, native, steps)).toBeUndefined();
      });
    });
  },
);
