/**
 * Blame for an orphan: the infrastructure's if the clean-up or the release was sent and a cut, held or reset link, a message
 * that took longer than its link does, an old connection's late bytes or a server that was down or paused kept it from taking effect in
 * time; else the library's.
 */
import { connectionsBrokeUs, heardOf, linkTroubled, messagesDelayed } from '../analysis/links.js';
import type { Analysis, Hold, Life } from '../analysis/model.js';
import { pausedWithin } from '../analysis/pauses.js';
import { commandOf } from '../analysis/keys.js';
import { asksTheSame } from '../analysis/refused-by-itself.js';
import { shardName } from '../analysis/shards.js';
import { ms } from '../analysis/words.js';
import type { Finding } from './moment.js';

export function orphanFinding(
  analysis: Analysis,
  hold: Hold,
  life: Life,
  fromUs: number,
  atUs: number,
): Finding {
  const server = life.shard.name;
  if (life.set.effect === 'restored') {
    const because = `the key had been gone, and ${server} brought it back at ${ms(life.set.tUs)}`;
    return { blame: 'infrastructure', because, evidence: [life.set.i] };
  }
  const overtaken = overtakenBy(analysis, hold, life);
  if (overtaken !== null) {
    const because = `the clean-up had reached ${server} before the SET, which came late on an old connection`;
    return { blame: 'infrastructure', because, evidence: [overtaken] };
  }
  const brokeUs = connectionsBrokeUs(life.shard, hold.askedUs, atUs);
  if (brokeUs !== null && !heardOf(analysis, hold.process.name, life.shard, brokeUs, atUs)) {
    // What waits for a connection leaves no event.
    const because = `${hold.process.name} had no connection to ${server} after its restart or promotion at ${ms(brokeUs)}`;
    return { blame: 'infrastructure', because, evidence: [] };
  }
  const sent = cleanUpSent(analysis, hold, life);
  if (sent === null) return { blame: 'library', because: 'no clean-up was sent', evidence: [] };
  const kept = keptFromIt(analysis, hold, life, fromUs, atUs) ?? (brokeUs === null ? null : brokenBy(server));
  if (kept !== null) return { blame: 'infrastructure', because: kept, evidence: sent };
  const because = isSetAfterRelease(hold, life)
    ? 'nothing deleted it in time'
    : 'nothing kept the clean-up from taking effect';
  return { blame: 'library', because, evidence: sent };
}

/** As by a renewal that creates the key where it finds none. */
export function isSetAfterRelease({ releaseIndex }: Hold, { set }: Life): boolean {
  return releaseIndex >= 0 && releaseIndex < set.i;
}

function brokenBy(server: string): string {
  return `the clean-up was sent, and ${server} broke its connections (restart or promotion)`;
}

/** What kept a clean-up that was sent from taking effect in time; null if nothing did. */
function keptFromIt(
  analysis: Analysis,
  hold: Hold,
  { shard }: Life,
  fromUs: number,
  atUs: number,
): string | null {
  const { name } = hold.process;
  const masters = shard.masters(hold.askedUs, atUs);
  if (shard.downs?.some((down) => down.fromUs <= atUs && down.untilUs >= fromUs) === true)
    return `${shard.name} was down when the clean-up came`;
  if (masters.some((master) => wasPaused(analysis, master, fromUs, atUs)))
    return `${shard.name} was paused when the clean-up came`;
  if (masters.some((master) => linkTroubled(analysis, name, master, hold.askedUs, atUs)))
    return `the clean-up was sent, and the link between ${name} and ${shard.name} was broken`;
  if (masters.some((master) => messagesDelayed(analysis, name, master, hold.askedUs, atUs)))
    return `the clean-up was sent, and messages between ${name} and ${shard.name} took longer than their links do`;
  return null;
}

function wasPaused(analysis: Analysis, node: string, fromUs: number, untilUs: number): boolean {
  const host = analysis.hosts.get(node);
  return host !== undefined && pausedWithin(host, fromUs, untilUs) > 0;
}

/** A later command of the hold that the server executed before the SET; its event index. */
function overtakenBy(analysis: Analysis, hold: Hold, life: Life): number | null {
  const setCommand = life.set.command;
  if (setCommand === undefined) return null;
  for (let index = life.set.i - 1; index > hold.askedIndex; index--) {
    const event = analysis.events[index]!;
    if (event.kind !== 'apply' || shardName(event.host) !== life.shard.name) continue;
    if (event.hold === hold.id && event.command > setCommand) return event.i;
  }
  return null;
}

/**
 * Events that show that a clean-up was sent: the release was invoked, or a command sent after the SET failed on this server or deleted
 * a key of the hold while this one lived, or came when it was gone. Null if nothing shows it.
 */
function cleanUpSent(analysis: Analysis, hold: Hold, life: Life): number[] | null {
  const endIndex = life.end?.i ?? Infinity;
  // A release that came after this key's end was for another one, of a later attempt.
  if (hold.releaseIndex >= 0 && hold.releaseIndex < endIndex) return [hold.releaseIndex];
  const setCommand = life.set.command ?? -1;
  for (const event of analysis.events) {
    if (event.i > endIndex) break;
    if (event.kind === 'reply' && event.hold === hold.id && event.command > setCommand) {
      if (shardName(event.server) === life.shard.name && event.outcome !== 'ok') return [event.i];
    }
    if (
      event.kind === 'key' &&
      event.effect === 'deleted' &&
      event.hold === hold.id &&
      event.i > life.set.i
    ) {
      return [event.i];
    }
  }
  return cameLate(analysis, hold, life);
}

/** The first command that the server executed for the hold after the key was gone, if it was another than one that asks. */
function cameLate({ events }: Analysis, hold: Hold, life: Life): number[] | null {
  const { end, set, shard } = life;
  if (end === null || set.command === undefined) return null;
  for (let index = end.i + 1; index < events.length; index++) {
    const event = events[index]!;
    if (event.kind !== 'apply' || event.hold !== hold.id || event.command <= set.command) continue;
    if (shardName(event.host) !== shard.name) continue;
    const asking = commandOf(events, set);
    return asking === null || asksTheSame(event, asking) ? null : [event.i];
  }
  return null;
}
