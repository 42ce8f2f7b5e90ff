/** Why a run shows nothing of a lock, in words for its user. */
import type { EventOf, History } from '../sim/history/events.js';
import { COMMAND_NAMES } from '../sim/transport/direct/command-names.js';

/** How the program tried to leave the simulation, if it did. */
export function escapeOf({ events }: History): string | null {
  const end = events.at(-1);
  if (end?.kind !== 'end' || end.reason !== 'escape') return null;
  const escape = events.find((event) => event.kind === 'trouble' && event.what === 'escape');
  return escape?.kind === 'trouble' ? `${escape.host}: ${escape.error.message}` : 'it left the simulation';
}

/** Commands of Redis that no client method is named after here. */
const OTHER_COMMANDS =
  'acl bitfield_ro bgrewriteaof bgsave dump failover fcall fcall_ro function georadius_ro georadiusbymember_ro latency memory migrate module monitor object replicaof restore slaveof slowlog sort sort_ro swapdb sync'.split(
    ' ',
  );

/** Commands that Redis has and the simulated servers lack: what follows from their errors is our fault. */
export function lackedCommands({ events }: History): string | null {
  const lacked = new Set<string>();
  for (const event of events) {
    if (event.kind !== 'apply' || !event.reply.startsWith('-ERR unknown command')) continue;
    const name = event.reply.split("'")[1]?.toLowerCase() ?? '';
    if (COMMAND_NAMES.includes(name) || OTHER_COMMANDS.includes(name)) lacked.add(name.toUpperCase());
  }
  if (lacked.size === 0) return null;
  return `the program uses what the simulated servers lack: ${[...lacked].join(', ')}`;
}

/** Why nobody got the lock, where nobody did. */
export function noGrantOf(history: History): string | null {
  const { events } = history;
  const acquires = events.filter((event) => event.kind === 'acquire');
  if (acquires.some(({ phase }) => phase === 'ok')) return null;
  const reasons = ['nobody ever got the lock'];
  const refusal = acquires.find((event) => event.phase === 'fail');
  if (refusal !== undefined)
    reasons.push(`the first refusal: ${refusal.error.name}: ${refusal.error.message}`);
  const trouble = events.find((event) => event.kind === 'trouble');
  if (trouble !== undefined)
    reasons.push(`${trouble.host}: ${trouble.what}: ${trouble.error.name}: ${trouble.error.message}`);
  const open = openAcquire(acquires, events.at(-1)?.tUs ?? 0);
  if (open !== null) reasons.push(open);
  return reasons.join('; ');
}

/** The first process that ended with an error before it ever asked: the lock takes no such clients, or options. */
export function neverConnected({ events }: History): string | null {
  const trouble = events.find((event) => event.kind === 'trouble' && event.what === 'uncaught');
  if (trouble?.kind !== 'trouble') return null;
  const asked = events.some(({ kind, host }) => kind === 'acquire' && host === trouble.host);
  return asked ? null : `${trouble.host} could not connect: ${trouble.error.name}: ${trouble.error.message}`;
}

/** The first acquire that had not settled when the run ended. */
function openAcquire(acquires: readonly EventOf<'acquire'>[], endUs: number): string | null {
  const settled = new Set(
    acquires.filter(({ phase }) => phase === 'ok' || phase === 'fail').map(({ hold }) => hold),
  );
  const open = acquires.find(({ phase, hold }) => phase === 'invoke' && !settled.has(hold));
  if (open === undefined) return null;
  return `the acquire of ${open.hold}, asked at ${open.tUs / 1000} ms, had not settled when the run ended at ${endUs / 1000} ms`;
}

/** Faults of the schedule whose trigger never came: what was asked was not tried. */
export function untriggeredFaults(history: History): readonly number[] {
  const last = history.events.at(-1);
  return last?.kind === 'end' ? last.untriggered : [];
}
