/** What an engine can't play is refused, not pretended. */
import type { Problem } from './hosts.js';
import { scenarioSchema, type Scenario } from './schema.js';

type Servers = Scenario['servers'];

/** What works with any engine: how many servers, and what has no effect without replicas and without a disk. */
const ANY_ENGINE: ReadonlySet<string> = new Set(['count', 'engine', 'replicationMs', 'savePoints']);

const REFUSAL = 'the engine ioredis-mock ';

let defaults: Servers | null = null;

/** The scenario is sound, but not for its engine. */
export function isEngineRefusal({ message }: Problem): boolean {
  return message.startsWith(REFUSAL);
}

/**
 * The engine `ioredis-mock` plays a master of its own, in memory, of one version. Each option of the servers that says
 * otherwise is a problem. Crashes and restarts are the server's, and work.
 */
export function engineProblems({ servers }: Scenario): Problem[] {
  if (servers.engine !== 'ioredis-mock') return [];
  defaults ??= scenarioSchema.parse({ id: 'defaults' }).servers;
  const problems: Problem[] = [];
  for (const name of Object.keys(servers) as (keyof Servers)[]) {
    const usual = JSON.stringify(defaults[name]);
    if (ANY_ENGINE.has(name) || JSON.stringify(servers[name]) === usual) continue;
    const only = usual === undefined ? 'leave it out' : `only ${usual} works with it`;
    const message = `${REFUSAL}is one master in memory (no replicas, disk, cluster, eviction, scripts known from the start or other versions): ${only}`;
    problems.push({ path: ['servers', name], message });
  }
  return problems;
}
