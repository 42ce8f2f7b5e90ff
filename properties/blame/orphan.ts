/**
 * Blame for an orphan: the infrastructure's if the clean-up or the release was sent and a cut, held or reset link, a message
 * that took longer than its link does, an old connection's late bytes or a down server kept it from taking effect in
 * time; else the library's.
 */
import { connectionsBroke, linkTroubled, messagesDelayed } from '../analysis/links.js';
import type { Analysis, Hold, Life } from '../analysis/model.js';
import { shardName } from '../analysis/shards.js';
import type { Finding } from './moment.js';

export function orphanFinding(
  analysis: Analysis,
  hold: Hold,
  life: Life,
  fromUs: number,
  atUs: number,
): Finding {
  const server = life.shard.name;
  const overtaken = overtakenBy(analysis, hold, life);
  if (overtaken !== null) {
    const because = `the clean-up had reached ${server} before the SET, which came late on an old connection`;
    return { blame: 'infrastructure', because, evidence: [overtaken] };
  }
  const sent = cleanUpSent(analysis, hold, life);
  if (sent !== null) {
    const process = hold.process.name;
    const down = life.shard.downs?.some((each) => each.fromUs <= atUs && each.untilUs >= fromUs);
    const masters = life.shard.masters(hold.askedUs, atUs);
    if (down === true)
      return {
        blame: 'infrastructure',
        because: `${server} was down when the clean-up came`,
        evidence: sent,
      };
    if (connectionsBroke(life.shard, hold.askedUs, atUs)) {
      return {
        blame: 'infrastructure',
        because: `the clean-up was sent, and ${server} broke its connections (restart or promotion)`,
        evidence: sent,
      };
    }
    if (masters.some((master) => linkTroubled(analysis, process, master, hold.askedUs, atUs))) {
      return {
        blame: 'infrastructure',
        because: `the clean-up was sent, and the link between ${process} and ${server} was broken`,
        evidence: sent,
      };
    }
    if (masters.some((master) => messagesDelayed(analysis, process, master, hold.askedUs, atUs))) {
      return {
        blame: 'infrastructure',
        because: `the clean-up was sent, and messages between ${process} and ${server} took longer than their links do`,
        evidence: sent,
      };
    }
  }
  const because = sent === null ? 'no clean-up was sent' : 'nothing kept the clean-up from taking effect';
  return { blame: 'library', because, evidence: sent ?? [] };
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
 * Events that show that a clean-up was sent: the release was invoked, or, while the key lived, a command sent after the
 * SET failed on this server or deleted a key of the hold. Null if nothing shows it. A clean-up kept up by the network is
 * seen late, when it fails or arrives at last.
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
  return null;
}
