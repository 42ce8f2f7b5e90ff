/** What the servers of a scenario are asked for and cannot give. */
import type { Problem } from './hosts.js';
import type { Scenario } from './schema.js';

export function serverProblems({ servers }: Scenario): Problem[] {
  const { replicas, minReplicasToWrite, sentinels, persistence, loadMs, maxMemory, maxMemoryPolicy } =
    servers;
  const problems: Problem[] = [];
  const refuse = (name: string, message: string): void =>
    void problems.push({ path: ['servers', ...name.split('.')], message });
  if (minReplicasToWrite > replicas)
    refuse(
      'minReplicasToWrite',
      `${minReplicasToWrite} good replicas are wanted for every write, and servers.replicas is ${replicas}`,
    );
  if (sentinels !== undefined && sentinels.quorum > sentinels.count)
    refuse(
      'sentinels.quorum',
      `${sentinels.quorum} of ${sentinels.count} Sentinels never agree that a master is down`,
    );
  if (sentinels !== undefined && replicas === 0)
    refuse('sentinels', 'there is no replica that Sentinels could promote: servers.replicas is 0');
  if (loadMs > 0 && persistence === 'none' && replicas === 0)
    refuse('loadMs', 'there is nothing to load: servers.persistence is none, and there are no replicas');
  if (maxMemoryPolicy !== 'noeviction' && maxMemory === 0)
    refuse('maxMemoryPolicy', 'nothing is evicted without a limit: servers.maxMemory is 0');
  return problems;
}
