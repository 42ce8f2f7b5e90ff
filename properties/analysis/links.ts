/** Which servers a process could reach: links that are not cut or held back, to servers that are up. */
import { isUp } from './standing.js';
import type { Analysis } from './model.js';
import { serverName } from './words.js';

/** Whether messages from one host to another got through at a true time. */
export function linkWhole(analysis: Analysis, from: string, to: string, tUs: number): boolean {
  let whole = true;
  for (const link of analysis.links) {
    if (link.tUs > tUs) break;
    if (link.host !== from || link.to !== to) continue;
    if (link.state === 'cut' || link.state === 'held') whole = false;
    else if (link.state === 'whole' || link.state === 'released') whole = true;
  }
  return whole;
}

export function reaches(analysis: Analysis, process: string, server: number, tUs: number): boolean {
  const name = serverName(server);
  return (
    isUp(analysis.servers[server], tUs) &&
    linkWhole(analysis, process, name, tUs) &&
    linkWhole(analysis, name, process, tUs)
  );
}

/** Whether a process reaches a majority of the servers at a true time. */
export function majorityReachable(analysis: Analysis, process: string, tUs: number): boolean {
  let reachable = 0;
  for (let server = 0; server < analysis.serverCount; server++) {
    if (reaches(analysis, process, server, tUs)) reachable++;
  }
  return reachable >= analysis.majority;
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

/** Whether a fault (`slow`, `delay`) made messages between a process and a server late at some time in [fromUs, untilUs]. */
export function messagesDelayed(
  analysis: Analysis,
  process: string,
  server: string,
  fromUs: number,
  untilUs: number,
): boolean {
  for (const event of analysis.events) {
    if (event.tUs > untilUs) break;
    if (event.kind !== 'fault') continue;
    const fault = analysis.scenario.faults[event.fault];
    if (fault?.do === 'slow') {
      const endUs = fault.forMs === undefined ? Infinity : event.tUs + fault.forMs * 1000;
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
