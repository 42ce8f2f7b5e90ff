/** An asker that its own key keeps out: it set the key, did not hear of it, and asks again. */
import type { EventOf } from '../../sim/history/events.js';
import { commandOf } from './keys.js';
import type { Analysis, Hold, Life } from './model.js';
import { shardName } from './shards.js';

type Apply = EventOf<'apply'>;

/**
 * The first command by which the setter of a key asked for it again while the key lived, and was not given it: the same command, sent
 * again or anew, with whatever value. Null if there was none.
 */
export function refusedByItself({ events }: Analysis, hold: Hold, life: Life): Apply | null {
  const first = commandOf(events, life.set);
  if (first === null) return null;
  const untilIndex = life.end?.i ?? events.length;
  for (let index = life.set.i + 1; index < untilIndex; index++) {
    const event = events[index]!;
    if (event.kind !== 'apply' || event.hold !== hold.id || event.op !== 'acquire') continue;
    if (shardName(event.host) !== life.shard.name || !asksTheSame(event, first)) continue;
    // Its effects on keys follow it directly: an answer that changed the key was no refusal.
    const next = events[index + 1];
    const took = next?.kind === 'key' && next.command === event.command && next.key === life.key.name;
    if (!took && !event.reply.startsWith('-')) return event;
  }
  return null;
}

/** The same command on the same key, or the same script. */
export function asksTheSame({ args }: Apply, first: Apply): boolean {
  return args[1] !== undefined && args[0] === first.args[0] && args[1] === first.args[1];
}
