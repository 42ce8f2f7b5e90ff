/**
 * Blame for one holder too many: the first of the holders, by their grants, to which rule 2 applies, then rule 3, else the library.
 * A hold that shares its key with others has an entry in it, of which the history shows only when a command of the hold
 * last wrote it.
 */
import type { ClockName } from '../../src/contract.js';
import type { HistoryEvent } from '../../sim/history/events.js';
import { differ, elapseWithoutFaults, rateAt } from '../analysis/clocks.js';
import { sharedKeys } from '../analysis/kind.js';
import type { Analysis, Hold, KeyEvent } from '../analysis/model.js';
import { forgets, shardName, type Shard } from '../analysis/shards.js';
import { ms } from '../analysis/words.js';
import { infrastructureFinding } from './infrastructure.js';
import { leaseFinding } from './lease.js';
import type { Finding, Moment } from './moment.js';

export interface PermitsFinding extends Finding {
  /** Whose permit was given away. */
  readonly loser: Hold;
}

export function permitsFinding(analysis: Analysis, crowd: readonly Hold[], at: Moment): PermitsFinding {
  const byGrant = [...crowd].sort((a, b) => a.ok!.i - b.ok!.i);
  const shared = sharedKeys(analysis);
  const entries =
    shared.length === 0 ? null : new Map(byGrant.map((hold) => [hold, entryOf(analysis, hold, shared, at)]));
  for (const loser of byGrant) {
    const entry = entries?.get(loser) ?? null;
    const found =
      entry === null ? infrastructureFinding(analysis, loser, at) : forgotten(analysis, entry, at);
    if (found !== null) return { ...found, loser };
  }
  for (const loser of byGrant) {
    const entry = entries?.get(loser) ?? null;
    const found =
      entry === null
        ? leaseFinding(analysis, loser, at)
        : leaseFinding(analysis, loser, at, { endUs: entry.endUs });
    if (found !== null) return { ...found, loser };
  }
  const because = `${byGrant.length} permits were given out of ${analysis.permits}`;
  return { blame: 'library', because, loser: byGrant[0]!, evidence: [] };
}

/** What a hold has in a key that it shares. */
interface Entry {
  readonly hold: Hold;
  readonly shard: Shard;
  readonly written: KeyEvent;
  /** When its TTL runs out, without the servers' faults. */
  readonly endUs: number;
}

/** The entry of a hold as it was written last before x; null if it never was. */
function entryOf(analysis: Analysis, hold: Hold, keys: readonly string[], at: Moment): Entry | null {
  let written: KeyEvent | null = null;
  for (const event of analysis.events) {
    if (event.tUs > at.tUs) break;
    if (event.kind !== 'key' || event.hold !== hold.id || event.op === 'release' || !keys.includes(event.key))
      continue;
    if (event.effect === 'set' || event.effect === 'changed' || event.effect === 'deadline') written = event;
  }
  if (written === null) return null;
  const node = analysis.hosts.get(written.host)!;
  const bound = analysis.scenario.clocks.driftBoundPpm;
  const ttlUs = hold.ttlMs * 1000;
  const endUs = elapseWithoutFaults(
    node.clocks,
    hold.process.clocks,
    clockOf(hold),
    written.tUs,
    ttlUs,
    bound,
  );
  return { hold, shard: node.shard!, written, endUs };
}

/** Rule 2: the entry would be there at x, had not the servers lost it, or their clock run on, since it was written. */
function forgotten(analysis: Analysis, entry: Entry, at: Moment): Finding | null {
  if (entry.endUs <= at.tUs) return null;
  const { hold, shard, written } = entry;
  if (shard.authorityAt(written.tUs).name !== written.host) {
    const because = `${written.host} gave ${hold.id} its permit when it was the master of ${shard.name} no more`;
    return { blame: 'infrastructure', because, evidence: [written.i] };
  }
  for (const event of analysis.events) {
    if (event.tUs > at.tUs) break;
    if (event.i <= written.i || shardName(event.host) !== shard.name || !takesEntry(event, entry)) continue;
    const what = event.kind === 'key' ? FATES[event.effect] : 'was not replicated';
    const because = `the permit of ${hold.id} ${what} at ${event.host}, at ${ms(event.tUs)}`;
    return { blame: 'infrastructure', because, evidence: [event.i] };
  }
  return ranOn(analysis, entry, at);
}

/** What became of an entry when its key was lost, evicted, or back as it had been on another node. */
const FATES: Partial<Record<KeyEvent['effect'], string>> = {
  lost: 'was lost',
  evicted: 'was evicted',
  restored: 'was missing in what came back',
};

function takesEntry(event: HistoryEvent, { shard, written }: Entry): boolean {
  if (event.kind === 'promote') return forgets(shard, event);
  return event.kind === 'key' && event.key === written.key && event.effect in FATES;
}

/** The server's clock was changed since the entry was written, or is too fast for the holder's, which may have slowed down since. */
function ranOn(analysis: Analysis, { hold, shard, written }: Entry, at: Moment): Finding | null {
  const change = shard.clocks.find(
    ({ i, tUs, cause }) => cause !== 'initial' && i > written.i && tUs <= at.tUs,
  );
  if (change !== undefined) {
    const because = `the clock of ${change.host} was changed at ${ms(change.tUs)}, while ${hold.id}'s permit ran`;
    return { blame: 'infrastructure', because, evidence: [change.i] };
  }
  const serverRate = rateAt(shard.clocks, 'wall', written.tUs);
  if (written.tUs + (hold.ttlMs * 1000) / serverRate > at.tUs) return null;
  const { clocks } = hold.process;
  const changesUs = clocks.map(({ tUs }) => tUs).filter((tUs) => tUs > written.tUs && tUs <= at.tUs);
  const rates = [written.tUs, ...changesUs].map((tUs) => rateAt(clocks, clockOf(hold), tUs));
  const bound = analysis.scenario.clocks.driftBoundPpm;
  if (!rates.some((rate) => differ(serverRate, rate, bound))) return null;
  const because = `the clock of ${written.host} is faster than ${hold.process.name}'s by more than the bound`;
  return { blame: 'infrastructure', because, evidence: [] };
}

function clockOf(hold: Hold): ClockName {
  return hold.ok!.claim?.clock ?? 'monotonic';
}
