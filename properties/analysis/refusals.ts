/** Servers that refuse their work: short of memory or replicas, loading, busy, or without their cluster. */
import type { EventOf } from '../../sim/history/events.js';
import type { Analysis, Hold } from './model.js';
import { shardName } from './shards.js';

/** First words of the replies by which a server refuses to take a lock for anybody. */
const REFUSAL = /^-(OOM|NOREPLICAS|READONLY|LOADING|MASTERDOWN|MISCONF|CLUSTERDOWN|BUSY)\b/;

/**
 * The refusals that left a hold without a majority at a true time: the last word of each server to its acquire, if so many
 * servers refused that no majority is left; else null.
 */
export function refusedBy(analysis: Analysis, hold: Hold, atUs: number): EventOf<'apply'>[] | null {
  const last = new Map<string, EventOf<'apply'>>();
  for (const event of analysis.events) {
    if (event.tUs > atUs) break;
    if (event.kind !== 'apply' || event.hold !== hold.id || event.op !== 'acquire') continue;
    // What only removes is taken all the same: it says nothing.
    if (event.reply === '0') continue;
    last.set(shardName(event.host), event);
  }
  const refusals = [...last.values()].filter(({ reply }) => REFUSAL.test(reply));
  return analysis.serverCount - refusals.length < analysis.majority ? refusals : null;
}
