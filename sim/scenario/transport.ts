/** What a transport can't do is refused, not pretended. */
import type { Problem } from './hosts.js';
import type { Scenario } from './schema.js';

const DIRECT_ONLY = {
  readFromReplica: 'real clients that read from replicas are not made on the wire: only false works with it',
  reconnectOnTimeout: 'no real client does so: only false works on the wire',
} as const;

/** Options of the transport that is not chosen, and options of clients that no package has. */
export function transportProblems({ processes, network, overrides }: Scenario): Problem[] {
  const problems: Problem[] = [];
  if (processes.transport === 'direct') {
    const message = 'takes effect on the wire only: set processes.transport to "wire", or leave it out';
    if (network.cut > 0) problems.push({ path: ['network', 'cut'], message });
    if (processes.clientPackage !== 'ioredis')
      problems.push({ path: ['processes', 'clientPackage'], message });
    return problems;
  }
  const clients: [Problem['path'], Partial<Scenario['processes']['client']> | undefined][] = [
    [['processes', 'client'], processes.client],
    ...Object.entries(overrides).map(
      ([host, { client }]): [Problem['path'], Partial<Scenario['processes']['client']> | undefined] => [
        ['overrides', host, 'client'],
        client,
      ],
    ),
  ];
  for (const [path, client] of clients)
    for (const name of Object.keys(DIRECT_ONLY) as (keyof typeof DIRECT_ONLY)[])
      if (client?.[name] === true) problems.push({ path: [...path, name], message: DIRECT_ONLY[name] });
  return problems;
}
