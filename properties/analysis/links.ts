/** Which servers a process could reach: links that are not cut or held back, to servers that are up. */
import { sentinelsOf } from '../../sim/scenario/hosts.js';
import type { Analysis } from './model.js';
import { isUp, shardName, type Shard } from './shards.js';
import { serverName } from './words.js';

/** Whether messages from one host to another got through at a true time. */
export function linkWhole(analysis: Analysis, from: string, to: string, tUs: number): boolean {
  let cut = false;
  let held = false;
  for (const link of analysis.links) {
    if (link.tUs > tUs) break;
    if (link.host !== from || link.to !== to) continue;
    if (link.state === 'cut' || link.state === 'whole') cut = link.state === 'cut';
    else if (link.state === 'held' || link.state === 'released') held = link.state === 'held';
  }
  return !cut && !held;
}

/** Whether a process reached a node at a true time: one that is up, and messages get through both ways. */
function reachesNode(analysis: Analysis, process: string, node: string, tUs: number): boolean {
  return (
    isUp(analysis.hosts.get(node), tUs) &&
    linkWhole(analysis, process, node, tUs) &&
    linkWhole(analysis, node, process, tUs)
  );
}

/** Whether a process reached the master of a shard (by its number) at a true time. */
function reaches(analysis: Analysis, process: string, number: number, tUs: number): boolean {
  const shard = analysis.shards[number];
  if (analysis.scenario.servers.sentinels !== undefined)
    return reachesNamed(analysis, process, serverName(number), tUs);
  return reachesNode(analysis, process, shard?.authorityAt(tUs).name ?? serverName(number), tUs);
}

/**
 * With Sentinels: whether a process reached a node that a Sentinel within its reach took to be the master. A client goes where it
 * is sent, even where a replica was promoted and they never learnt of it.
 */
function reachesNamed(analysis: Analysis, process: string, server: string, tUs: number): boolean {
  for (const sentinel of sentinelsOf(analysis.scenario)) {
    if (!reachesNode(analysis, process, sentinel, tUs)) continue;
    if (reachesNode(analysis, process, namedBy(analysis, sentinel, server, tUs), tUs)) return true;
  }
  return false;
}

/** The node that a Sentinel named as the master of a server at a true time. */
function namedBy(analysis: Analysis, sentinel: string, server: string, tUs: number): string {
  let named = server;
  for (const event of analysis.events) {
    if (event.tUs > tUs) break;
    if (event.kind !== 'sentinel' || event.host !== sentinel || event.what !== '+switch-master') continue;
    const [name, , , host] = event.detail.split(' ');
    if (name === server) named = host!;
  }
  return named;
}

/** The servers that a process does not reach at a true time. */
export function unreachedBy(analysis: Analysis, process: string, tUs: number): string[] {
  const unreached: string[] = [];
  for (let number = 0; number < analysis.scenario.servers.count; number++)
    if (!reaches(analysis, process, number, tUs)) unreached.push(serverName(number));
  return unreached;
}

/** Whether a process reaches a majority of the servers at a true time. A cluster is reached if all its masters are. */
export function majorityReachable(analysis: Analysis, process: string, tUs: number): boolean {
  const { count } = analysis.scenario.servers;
  const reachable = count - unreachedBy(analysis, process, tUs).length;
  return reachable >= (analysis.cluster ? count : analysis.majority);
}

/** Whether a link between two hosts was cut, held or reset, in either direction, at some time in [fromUs, untilUs]. */
export function linkTroubled(
  analysis: Analysis,
  a: string,
  b: string,
  fromUs: number,
  untilUs: number,
): boolean {
  if (!linkWhole(analysis, a, b, fromUs) || !linkWhole(analysis, b, a, fromUs)) return true;
  for (const link of analysis.links) {
    const between = (link.host === a && link.to === b) || (link.host === b && link.to === a);
    const bad = link.state === 'cut' || link.state === 'held' || link.state === 'reset';
    if (between && bad && fromUs <= link.tUs && link.tUs <= untilUs) return true;
  }
  return false;
}

/**
 * When a server's connections broke last in [fromUs, untilUs]: it went down or came back, or a replica took its place. Clients
 * then wait before they connect again. Null if they did not.
 */
export function connectionsBrokeUs({ downs, reigns }: Shard, fromUs: number, untilUs: number): number | null {
  const breaks = [
    ...(downs ?? []).flatMap((down) => [down.fromUs, down.untilUs]),
    ...reigns.map(({ fromUs: at }) => at),
  ];
  const within = breaks.filter((tUs) => fromUs <= tUs && tUs <= untilUs);
  return within.length === 0 ? null : Math.max(...within);
}

/** Whether anything of a process was executed or answered by a server in [fromUs, untilUs]: it had a connection then. */
export function heardOf(
  analysis: Analysis,
  process: string,
  shard: Shard,
  fromUs: number,
  untilUs: number,
): boolean {
  for (const event of analysis.events) {
    if (event.tUs > untilUs) break;
    if (event.tUs <= fromUs) continue;
    if (event.kind === 'apply' && event.by === process && shardName(event.host) === shard.name) return true;
    const answered = event.kind === 'reply' && event.host === process && event.outcome === 'ok';
    if (answered && shardName(event.server) === shard.name) return true;
  }
  return false;
}

/**
 * Whether messages between a process and a server were late at some time in [fromUs, untilUs]: by a fault (`slow`, `delay`),
 * or because the network loses segments and sends them again.
 */
export function messagesDelayed(
  analysis: Analysis,
  process: string,
  server: string,
  fromUs: number,
  untilUs: number,
): boolean {
  if (analysis.scenario.network.loss > 0) return true;
  for (const event of analysis.events) {
    if (event.tUs > untilUs) break;
    if (event.kind !== 'fault') continue;
    const fault = analysis.scenario.faults[event.fault];
    if (fault?.do === 'slow') {
      // What was sent last under the fault travels on after its end.
      const lastMs = [fault.latencyMs].flat().at(-1)!;
      const endUs = fault.forMs === undefined ? Infinity : event.tUs + (fault.forMs + lastMs) * 1000;
      const ends = [fault.from, fault.to].flat();
      if (endUs >= fromUs && ends.includes(process) && ends.includes(server)) return true;
    } else if (fault?.do === 'delay' && fault.on?.event !== 'used') {
      const ofProcess = fault.on?.process === undefined || fault.on.process === process;
      const ofServer = fault.on?.server === undefined || fault.on.server === server;
      if (event.tUs + fault.byMs * 1000 >= fromUs && ofProcess && ofServer) return true;
    }
  }
  return false;
}
