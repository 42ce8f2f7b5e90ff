/**
 * The opponent of somebody who has seen what a Lua VM per command costs: redlock's three scripts, ported by hand
 * to a Map with expiry on the faked `Date`. It can run this one library only.
 */
import type { Contender, Load } from '../loads.js';
import { measurePropertyTest, type ServerSet } from './property-test.js';
import { REDLOCK4_SCRIPTS, type Callback, type ScriptClient } from './redlock4.js';

interface Entry {
  readonly value: string;
  readonly deadlineMs: number;
}
type Script = (data: Map<string, Entry>, key: string, value: string, ttlMs: number) => number;

function live(data: Map<string, Entry>, key: string): Entry | undefined {
  const entry = data.get(key);
  if (entry !== undefined && Date.now() > entry.deadlineMs) {
    data.delete(key);
    return undefined;
  }
  return entry;
}

const lock: Script = (data, key, value, ttlMs) => {
  if (live(data, key) !== undefined) return 0;
  data.set(key, { value, deadlineMs: Date.now() + ttlMs });
  return 1;
};

const unlock: Script = (data, key, value) => {
  if (live(data, key)?.value !== value) return 0;
  data.delete(key);
  return 1;
};

const extend: Script = (data, key, value, ttlMs) => {
  if (live(data, key)?.value !== value) return 0;
  data.set(key, { value, deadlineMs: Date.now() + ttlMs });
  return 1;
};

const BY_HASH = new Map<string, Script>([
  [REDLOCK4_SCRIPTS.lockScript.hash, lock],
  [REDLOCK4_SCRIPTS.unlockScript.hash, unlock],
  [REDLOCK4_SCRIPTS.extendScript.hash, extend],
]);

/** Its scripts are loaded from the start: no NOSCRIPT. */
class MapServer implements ScriptClient {
  private readonly data = new Map<string, Entry>();

  evalsha(sha: string, args: unknown[], callback: Callback): void {
    const [, key, value, ttlMs] = args as [number, string, string, number];
    callback(null, BY_HASH.get(sha)!(this.data, key, value, ttlMs));
  }

  eval(_args: unknown[], callback: Callback): void {
    callback(new Error('ERR this server knows the scripts of redlock 4.2.0 only, by their hashes'));
  }
}

function mapServers(count: number): ServerSet {
  return { servers: Array.from({ length: count }, () => new MapServer()), dispose() {} };
}

export function careful(load: Load): Contender {
  return {
    name: 'careful',
    measure: (runs, seed) => measurePropertyTest(load, mapServers, runs, seed),
  };
}
