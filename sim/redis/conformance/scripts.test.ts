/** The same scripts on the compiler, on the interpreter and on a real server. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileScript } from '../lua/compile.js';
import '../lua/fengari.js';
import { interpret } from '../lua/interpreter.js';
import { scriptOf, Script } from '../lua/script.js';
import { sha1Hex } from '../lua/sha1.js';
import { keyspaceHost, modeOf, type Reply } from '../keyspace.js';
import { inResp2 } from '../resp.js';
import { COMMANDS } from '../native/commands.js';
import { Engine } from '../native/engine.js';
import { NativeSession } from '../native/session.js';
import { installedRedis, RealRedis, type RealConnection } from './real-redis.js';
import { BINARY_SCRIPTS } from './scripts-binary.js';
import { JSON_SCRIPTS } from './scripts-json.js';
import { LUA51_SCRIPTS } from './scripts-lua51.js';
import { MIXED_SCRIPTS } from './scripts-mixed.js';
import { REDIS_SCRIPTS } from './scripts-redis.js';
import { SCRIPTS } from './scripts.js';
import { scriptArbitrary } from './arbitrary-scripts.js';

const RUNS = Number(process.env['CONFORMANCE_RUNS'] ?? 300);
const SEED = Number(process.env['CONFORMANCE_SEED'] ?? 20_261_129);

const WALL_US = 1_700_000_000_000_000;
const ALL = [
  ...SCRIPTS,
  ...JSON_SCRIPTS,
  ...BINARY_SCRIPTS,
  ...REDIS_SCRIPTS,
  ...LUA51_SCRIPTS,
  ...MIXED_SCRIPTS,
];

function engine(): Engine {
  const fresh = new Engine(COMMANDS, modeOf(), keyspaceHost());
  fresh.execute(new NativeSession(1, WALL_US), ['SET', 's', 'text'], WALL_US);
  fresh.execute(new NativeSession(1, WALL_US), ['SET', 'n', '5'], WALL_US);
  return fresh;
}

/** Runs by EVAL on a fresh server. */
function evaluate(text: string, keys: readonly string[], argv: readonly string[]): Reply {
  const args = ['EVAL', text, String(keys.length), ...keys, ...argv];
  return inResp2(engine().execute(new NativeSession(1, WALL_US), args, WALL_US));
}

function interpreted(text: string, keys: readonly string[], argv: readonly string[]): Reply {
  const host = engine();
  const args = ['EVAL', text, String(keys.length), ...keys, ...argv];
  const sha = sha1Hex(text);
  const script = new Script(sha, text, (at, given, keyCount) => interpret(text, sha, at, given, keyCount));
  return inResp2(host.runScript(script, args, keys.length, new NativeSession(1, WALL_US), false));
}

describe('compiled and interpreted scripts agree', () => {
  test.each(ALL)('%s', (text) => {
    const known = scriptOf(text);
    if (!(known instanceof Script) || known.compiled === undefined) return;
    expect(evaluate(text, ['s', 'n'], ['text', '3'])).toEqual(interpreted(text, ['s', 'n'], ['text', '3']));
  });

  test('on generated scripts', () => {
    fc.assert(
      fc.property(scriptArbitrary, (text) => {
        expect(compileScript(text), text).toBeDefined();
        // Where a table has a hole Lua leaves `#` open; the interpreter, another Lua, decides otherwise.
        fc.pre(!text.includes('t[1] = '));
        expect(evaluate(text, ['s', 'n'], ['text', '3'])).toEqual(
          interpreted(text, ['s', 'n'], ['text', '3']),
        );
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});

const version = installedRedis();

describe.skipIf(version === undefined)(
  `scripts answer as redis-server ${version ?? '(not installed)'} does`,
  () => {
    let redis: RealRedis;
    let connection: RealConnection;
    beforeAll(async () => {
      redis = await RealRedis.start();
      connection = await redis.connect();
    });
    afterAll(() => {
      connection?.close();
      redis?.stop();
    });

    async function onRealServer(text: string): Promise<Reply> {
      void connection.send(['FLUSHALL']);
      void connection.send(['SET', 's', 'text']);
      void connection.send(['SET', 'n', '5']);
      return connection.send(['EVAL', text, '2', 's', 'n', 'text', '3']);
    }

    test.each(ALL)('%s', async (text) => {
      expect(evaluate(text, ['s', 'n'], ['text', '3'])).toEqual(await onRealServer(text));
    });

    test('generated ones too', async () => {
      await fc.assert(
        fc.asyncProperty(scriptArbitrary, async (text) => {
          expect(evaluate(text, ['s', 'n'], ['text', '3'])).toEqual(await onRealServer(text));
        }),
        { seed: SEED, numRuns: RUNS },
      );
    });
  },
);

test('the scripts of redlock 4.2.0 are compiled', () => {
  const source = readFileSync(createRequire(import.meta.url).resolve('redlock/redlock.js'), 'utf8');
  const scripts = [...source.matchAll(/const \w+Script = `([^`]*)`/g)].map(([, text]) => text!);
  expect(scripts).toHaveLength(3);
  for (const text of scripts) expect(compileScript(text)).toBeDefined();
});
