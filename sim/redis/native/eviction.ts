import type { Engine } from './engine.js';
import { Ledger } from './ledger.js';
import { keyOf } from './names.js';

/**
 * Evicts keys until `maxmemory` is kept; false: it can't be. Replicas leave that to their masters (`replica-ignore-maxmemory`)
 * and never are short.
 */
export function makeRoom({ store, mode, draws }: Engine): boolean {
  if (store.ledger === null) {
    store.ledger = new Ledger(store, draws);
    for (const [name, entry] of store.live()) store.ledger.changed(name, entry);
  }
  if (mode.replica) return true;
  const { db, ledger } = store;
  while (ledger.bytes > mode.maxMemory) {
    const name = ledger.victim(mode.maxMemoryPolicy);
    if (name === undefined) break;
    const [of, key] = keyOf(name);
    store.select(of);
    store.remove(key, 'evicted');
  }
  store.select(db);
  return ledger.bytes <= mode.maxMemory;
}
