/** A Redis Cluster is made of masters that can outvote one of them, and finds its own masters. */
import type { Problem } from './hosts.js';
import type { Scenario } from './schema.js';

const LEAST_MASTERS = 3;

/** What a scenario with `servers.cluster` asks for and cannot have. */
export function clusterProblems({ servers, processes, overrides }: Scenario): Problem[] {
  if (servers.cluster === undefined) return [];
  const problems: Problem[] = [];
  const refuse = (path: Problem['path'], message: string): void => void problems.push({ path, message });
  if (servers.count < LEAST_MASTERS)
    refuse(
      ['servers', 'count'],
      `a cluster has at least ${LEAST_MASTERS} masters: with fewer no majority outvotes one`,
    );
  if (servers.sentinels !== undefined)
    refuse(
      ['servers', 'sentinels'],
      'the nodes of a cluster watch each other: there are no Sentinels beside servers.cluster',
    );
  const clients: [Problem['path'], boolean | undefined][] = [
    [['processes', 'client', 'readFromReplica'], processes.client.readFromReplica],
    ...Object.entries(overrides).map(([host, { client }]): [Problem['path'], boolean | undefined] => [
      ['overrides', host, 'client', 'readFromReplica'],
      client?.readFromReplica,
    ]),
  ];
  for (const [path, reads] of clients)
    if (reads === true) refuse(path, 'the client of a cluster reads from masters');
  return problems;
}
