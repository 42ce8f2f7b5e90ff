import type { RedisServer } from './server.js';

/**
 * A node is the master of its shard from now on, with what had reached it and with its clock. The history tells what that
 * changes for the shard: keys that the master before it had and this one lacks are `lost`, others are `restored`.
 */
export function recordPromotion(server: RedisServer, unreplicated: number): void {
  const { shard, ledger } = server;
  const previous = shard.serving;
  server.context.recorder.add({
    i: 0,
    tUs: server.nowUs,
    host: shard.name,
    kind: 'promote',
    replica: server.name,
    unreplicated,
  });
  shard.serving = server;
  if (previous === server) return;
  const before = new Map(previous.ledger.setters);
  for (const [key, setter] of ledger.setters) {
    const had = before.has(key);
    const known = before.get(key);
    before.delete(key);
    if (had && known === setter) continue;
    ledger.transition(key, 'restored', server.record(key)?.deadlineMs ?? null, setter);
  }
  for (const [key, setter] of before) ledger.transition(key, 'lost', null, setter);
}
