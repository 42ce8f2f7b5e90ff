/**
 * What one command costs: the one that takes a lock, and the script that gives it up, on the native engine (the script compiled, and
 * interpreted by fengari) and on ioredis-mock. Nothing else of the simulator runs.
 */
import RedisMock from 'ioredis-mock';
import { keyspaceHost, modeOf, type Bytes } from '../../sim/redis/keyspace.js';
import '../../sim/redis/lua/fengari.js';
import { Script } from '../../sim/redis/lua/script.js';
import { sha1Hex } from '../../sim/redis/lua/sha1.js';
import { COMMANDS } from '../../sim/redis/native/commands.js';
import { Engine } from '../../sim/redis/native/engine.js';
import { NativeSession } from '../../sim/redis/native/session.js';
import { median } from './statistics.js';

/** Microseconds at the median. */
export interface EngineCost {
  readonly setUs: number;
  readonly scriptUs: number;
}

export interface EngineCosts {
  readonly native: EngineCost & { readonly interpretedUs: number };
  readonly mock: EngineCost;
}

/** Compare and delete, as every lock library has it. */
const SCRIPT =
  "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
const SHA = sha1Hex(SCRIPT);
const WALL_US = 1_767_225_600_000_000;
/** Locks taken in a row, and then given up in a row. */
const LOCKS = 100;
const KEYS = Array.from({ length: LOCKS }, (_, index) => `lock:${index}`);
const VALUE = '2f1c9e0e-8f0a-4f0c-9d7c-1b5a6c2d3e4f';

const SETS: readonly (readonly Bytes[])[] = KEYS.map((key) => ['SET', key, VALUE, 'PX', '30000', 'NX']);
const RELEASES: readonly (readonly Bytes[])[] = KEYS.map((key) => ['EVALSHA', SHA, '1', key, VALUE]);

export async function measureEngineCosts(rounds: number): Promise<EngineCosts> {
  const native = measureNative(rounds * 20);
  const mock = await measureMock(rounds);
  return { native, mock };
}

function measureNative(rounds: number): EngineCosts['native'] {
  const engine = new Engine(COMMANDS, modeOf(), keyspaceHost());
  const session = new NativeSession(1, WALL_US);
  engine.execute(session, ['SCRIPT', 'LOAD', SCRIPT], WALL_US);
  const interpreted = new Script(SHA, SCRIPT, undefined);
  const sets: number[] = [];
  const releases: number[] = [];
  const interpretations: number[] = [];
  for (let round = 0; round < rounds; round++) {
    sets.push(timed(() => SETS.forEach((args) => engine.execute(session, args, WALL_US))));
    releases.push(timed(() => RELEASES.forEach((args) => engine.execute(session, args, WALL_US))));
    if (round % 10 !== 0) continue;
    for (const args of SETS) engine.execute(session, args, WALL_US);
    interpretations.push(
      timed(() => RELEASES.forEach((args) => engine.runScript(interpreted, args, 1, session, false))),
    );
  }
  if (engine.store.size > 0) throw new Error('the locks were not given up');
  return { setUs: median(sets), scriptUs: median(releases), interpretedUs: median(interpretations) };
}

async function measureMock(rounds: number): Promise<EngineCost> {
  const redis = new RedisMock();
  const sets: number[] = [];
  const releases: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let startMs = performance.now();
    for (const key of KEYS) await redis.set(key, VALUE, 'PX', 30_000, 'NX');
    sets.push(perLockUs(startMs));
    startMs = performance.now();
    for (const key of KEYS) await redis.eval(SCRIPT, 1, key, VALUE);
    releases.push(perLockUs(startMs));
  }
  redis.disconnect();
  return { setUs: median(sets), scriptUs: median(releases) };
}

function perLockUs(startMs: number): number {
  return ((performance.now() - startMs) * 1000) / LOCKS;
}

function timed(run: () => void): number {
  const startMs = performance.now();
  run();
  return perLockUs(startMs);
}
