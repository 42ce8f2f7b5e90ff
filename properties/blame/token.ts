/** Blame for tokens out of order: the servers', if they forgot the counter in between; else the library's. */
import type { EventOf } from '../../sim/history/events.js';
import { orderOf } from '../analysis/keys.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { forgets, shardName } from '../analysis/shards.js';
import { ms } from '../analysis/words.js';
import type { Finding } from './moment.js';

/** A counter falls by a fault when it is lost, or when an older value comes back. */
const LOSSES: ReadonlySet<string> = new Set(['lost', 'evicted', 'restored', 'changed']);

/**
 * With the servers' faults undone the later token would be higher: a server whose vote the later hold had, lost or
 * rolled back a counter after the earlier hold came to be and before the later one's return (a promotion rolls back what was
 * not replicated), or one of the two had a vote of a deposed master, which counts by itself.
 */
export function tokenFinding(analysis: Analysis, earlier: Hold, later: Hold): Finding {
  const from = Math.min(orderOf(analysis, earlier), earlier.ok!.i);
  const until = Math.max(later.ok!.i, from);
  const split = [...later.lives, ...earlier.lives].find((life) => life.deposed !== null);
  if (split !== undefined) {
    const because = `${split.deposed!.name} gave ${split.owner!.id} its vote when it was the master of ${split.shard.name} no more`;
    return { blame: 'infrastructure', because, evidence: [split.set.i] };
  }
  for (const event of analysis.events) {
    if (event.i > until) break;
    if (event.i >= from && event.kind === 'promote' && takesBack(analysis, later, event)) {
      const because = `${event.replica} became the master at ${ms(event.tUs)} without what it had not been sent`;
      return { blame: 'infrastructure', because, evidence: [event.i] };
    }
    if (event.kind !== 'key' || event.i < from || event.by !== undefined) continue;
    const forgot = LOSSES.has(event.effect);
    const counter = analysis.keyNames.find((name) => name.name === event.key)?.auxiliary === true;
    if (!forgot || !counter || !votedBy(later, event.host)) continue;
    const because = `${event.host} forgot the counter ${event.key} at ${ms(event.tUs)}`;
    return { blame: 'infrastructure', because, evidence: [event.i] };
  }
  return { blame: 'library', because: 'no server forgot a counter in between', evidence: [] };
}

/** A promotion of a server that voted for the hold, which may have taken back a counter. */
function takesBack(analysis: Analysis, hold: Hold, event: EventOf<'promote'>): boolean {
  return hold.lives.some(
    ({ shard }) =>
      shard.name === shardName(event.host) && (forgets(shard, event) || changesKeys(analysis, event)),
  );
}

/** Keys that come and go with a promotion show that the new master had not all that the old one had. */
function changesKeys({ events }: Analysis, { i, tUs, replica }: EventOf<'promote'>): boolean {
  for (let index = i + 1; index < events.length && events[index]!.tUs === tUs; index++) {
    const event = events[index]!;
    if (event.kind !== 'key' || event.host !== replica) continue;
    if (event.effect === 'restored' || event.effect === 'lost') return true;
  }
  return false;
}

function votedBy(hold: Hold, node: string): boolean {
  return hold.lives.some((life) => life.shard.name === shardName(node));
}
