/** Blame for tokens out of order: the servers', if they forgot the counter in between; else the library's. */
import { orderOf } from '../analysis/keys.js';
import type { Analysis, Hold } from '../analysis/model.js';
import { ms } from '../analysis/words.js';
import type { Finding } from './moment.js';

/**
 * With the servers' faults undone the later token would be higher: a server whose vote the later hold had, lost or
 * rolled back a counter after the earlier hold came to be and before the later one's return.
 */
export function tokenFinding(analysis: Analysis, earlier: Hold, later: Hold): Finding {
  const from = Math.min(orderOf(analysis, earlier), earlier.ok!.i);
  const until = Math.max(later.ok!.i, from);
  for (const event of analysis.events) {
    if (event.i > until) break;
    if (event.kind !== 'key' || event.i < from || event.by !== undefined) continue;
    // A counter falls by a fault when it is lost, or when an older value comes back.
    const forgot = event.effect === 'lost' || event.effect === 'restored' || event.effect === 'changed';
    const counter = analysis.keyNames.find((name) => name.name === event.key)?.auxiliary === true;
    if (!forgot || !counter || !votedBy(later, event.host)) continue;
    const because = `${event.host} forgot the counter ${event.key} at ${ms(event.tUs)}`;
    return { blame: 'infrastructure', because, evidence: [event.i] };
  }
  return { blame: 'library', because: 'no server forgot a counter in between', evidence: [] };
}

function votedBy(hold: Hold, server: string): boolean {
  return hold.lives.some((life) => `redis-${life.server + 1}` === server);
}
