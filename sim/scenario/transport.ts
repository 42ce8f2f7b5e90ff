/** What a transport can't do is refused, not pretended. */
import type { Problem } from './hosts.js';
import type { Scenario } from './schema.js';

type Client = Scenario['processes']['client'];

const DIRECT_ONLY = {
  readFromReplica: 'real clients that read from replicas are not made on the wire: only false works with it',
  reconnectOnTimeout: 'no real client does so: only false works on the wire',
} as const;

/** As the schema has it. */
const USUAL_RETRIES = 20;

/** Options of the transport that is not chosen, and options of clients that no package has. */
export function transportProblems(scenario: Scenario): Problem[] {
  return scenario.processes.transport === 'direct' ? wireOnly(scenario) : problemsOnWire(scenario);
}

function wireOnly({ processes, network }: Scenario): Problem[] {
  const problems: Problem[] = [];
  const message = 'takes effect on the wire only: set processes.transport to "wire", or leave it out';
  if (network.cut > 0) problems.push({ path: ['network', 'cut'], message });
  if (processes.clientPackage !== 'ioredis') problems.push({ path: ['processes', 'clientPackage'], message });
  return problems;
}

function problemsOnWire({ processes, overrides, servers }: Scenario): Problem[] {
  const problems: Problem[] = [];
  const { clientPackage } = processes;
  if (clientPackage === 'redis@4' && servers.sentinels !== undefined)
    problems.push({ path: ['processes', 'clientPackage'], message: 'redis@4 does not ask Sentinels' });
  clientProblems(['processes', 'client'], processes.client, clientPackage, problems);
  for (const [host, { client }] of Object.entries(overrides))
    clientProblems(['overrides', host, 'client'], client ?? {}, clientPackage, problems);
  return problems;
}

function clientProblems(
  path: Problem['path'],
  client: Partial<Client>,
  clientPackage: string,
  problems: Problem[],
): void {
  for (const name of Object.keys(DIRECT_ONLY) as (keyof typeof DIRECT_ONLY)[])
    if (client[name] === true) problems.push({ path: [...path, name], message: DIRECT_ONLY[name] });
  if (!clientPackage.startsWith('redis')) return;
  const { commandTimeoutMs, maxRetriesPerRequest = USUAL_RETRIES } = client;
  if (maxRetriesPerRequest !== USUAL_RETRIES)
    problems.push({
      path: [...path, 'maxRetriesPerRequest'],
      message: `${clientPackage} has no such option: leave it out`,
    });
  if (clientPackage === 'redis@4' && commandTimeoutMs !== undefined && commandTimeoutMs !== null)
    problems.push({
      path: [...path, 'commandTimeoutMs'],
      message: 'redis@4 has no such option: leave it out',
    });
}
