/**
 * Mistake: who holds the lock already gets it again by a count in its own memory; nobody looks whether the lease is over.
 * Scenario E10: the key expires while its holder works; it enters again beside the next holder.
 * Source: the lock models that Hazelcast published for its FencedLock.
 */
import type { Grant, Lock, LockEnv } from '../contract.js';
import { quorumLock } from '../quorum/lock.js';

const NAME = 'pitfall/reentrant-count';
const mutex = quorumLock(NAME, 1);

interface Entry {
  readonly grant: Grant;
  count: number;
}

/** One entrance; the last one to be left releases the lock. */
function entrance(entry: Entry, leave: () => Promise<void>): Grant {
  const { grant } = entry;
  entry.count++;
  return {
    release() {
      entry.count--;
      return entry.count > 0 ? Promise.resolve() : leave();
    },
    extend: (ttlMs) => grant.extend!(ttlMs),
    validUntil: () => grant.validUntil!(),
    isHeld: () => entry.count > 0,
    value: grant.value!,
  };
}

export default {
  ...mutex,
  connect(env: LockEnv): Lock {
    const lock = mutex.connect(env);
    const held = new Map<string, Entry>();
    return {
      async acquire(resource, options) {
        let entry = held.get(resource);
        if (entry === undefined) {
          entry = { grant: await lock.acquire(resource, options), count: 0 };
          held.set(resource, entry);
        }
        const { grant } = entry;
        return entrance(entry, () => {
          held.delete(resource);
          return grant.release();
        });
      },
    };
  },
};
