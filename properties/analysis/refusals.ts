/** Servers that refuse their work, or undo it at once: short of memory or replicas, loading, busy, or without their cluster. */
import type { EventOf } from '../../sim/history/events.js';
import { readsOnly } from '../../sim/redis/native/facts.js';
import type { Analysis, Hold } from './model.js';
import { shardName } from './shards.js';

type Apply = EventOf<'apply'>;
/** A command that is refused, or the eviction of a key. */
export type Refusal = Apply | EventOf<'key'>;

/** First words of the replies by which a server refuses to take a lock for anybody. */
const REFUSAL = /^-(OOM|NOREPLICAS|READONLY|LOADING|MASTERDOWN|MISCONF|CLUSTERDOWN|BUSY)\b/;

/**
 * The refusals that left a hold without a majority at a true time: what each server said last to its acquire, if so many
 * servers refused that no majority is left of those that its process reaches; else null.
 */
export function refusedBy(
  analysis: Analysis,
  hold: Hold,
  atUs: number,
  unreached: readonly string[],
): Refusal[] | null {
  const servers = new Map<string, LastWord>();
  for (const event of analysis.events) {
    if (event.tUs > atUs) break;
    if (event.kind !== 'apply' && event.kind !== 'key') continue;
    const name = shardName(event.host);
    const known = servers.get(name) ?? new LastWord();
    servers.set(name, known);
    if (event.kind === 'apply') {
      if (mayAskFor(hold, event)) known.hear(event, effectOf(analysis, event));
    } else if (event.effect === 'evicted' && mayBeOf(hold, event, analysis)) known.lose(event);
  }
  for (const server of unreached) servers.delete(server);
  const refusals = [...servers.values()].flatMap(({ refusal }) => refusal ?? []);
  const left = analysis.serverCount - unreached.length - refusals.length;
  return refusals.length > 0 && left < analysis.majority ? refusals : null;
}

/** Of an acquire that goes on: whether a server refuses it. */
class LastWord {
  refusal: Refusal | null = null;
  /** It has set a key since; the command that comes after it, for a token, may be refused again. */
  private voted = false;

  hear(event: Apply, effect: 'set' | 'spares' | 'other'): void {
    if (REFUSAL.test(event.reply)) {
      this.refusal = event;
      this.voted = false;
      return;
    }
    // What only reads or removes is taken all the same: it says nothing, unless the vote before it was all that was asked for.
    const says = effect === 'other' || this.voted;
    if (says) this.refusal = null;
    this.voted = effect === 'set';
  }

  /** A vote that is evicted is worth no more than one that is refused. */
  lose(eviction: EventOf<'key'>): void {
    this.refusal = eviction;
    this.voted = false;
  }
}

export function refusalText(refusal: Refusal): string {
  if (refusal.kind === 'key') return `${refusal.host} evicts its key`;
  return `${refusal.host} refuses (${refusal.reply.slice(1)})`;
}

/** A command of the hold's acquire, or one of its process of which nobody can say whose it is: a server refuses all alike. */
function mayAskFor(hold: Hold, event: Apply): boolean {
  if (event.hold === null) return event.by === hold.process.name;
  return event.hold === hold.id && event.op === 'acquire';
}

/** A key of the hold's, or one of which nobody can say whose it is, since tasks share a client. */
function mayBeOf(hold: Hold, { setter }: EventOf<'key'>, { scenario }: Analysis): boolean {
  return setter === hold.id || (setter === null && scenario.processes.sharedClient);
}

/** What a command did to keys, `spares` if it took no memory: its effects follow it directly. */
function effectOf({ events }: Analysis, { i, command, args, reply }: Apply): 'set' | 'spares' | 'other' {
  const next = events[i + 1];
  if (next?.kind === 'key' && next.command === command) {
    if (next.effect === 'set') return 'set';
    if (next.effect === 'deleted') return 'spares';
  }
  return reply === '0' || readsOnly(args[0]!) ? 'spares' : 'other';
}
