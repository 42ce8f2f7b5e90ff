/** Sealed with a lock whose clients node-redis makes, as a program would make them. */
import { createClient, createCluster, createSentinel } from 'redis';
import type { ClientPlan } from './plan.js';

interface Client {
  on(event: string, listener: () => void): unknown;
  connect(): Promise<unknown>;
}

/**
 * A client that never connects, and whose duplicates do. `createClient` builds a class of hundreds of commands for each
 * address: clients of one class are as good, and cost a hundredth.
 */
const MODEL = createClient() as unknown as { duplicate(options: object): Client };

export function openClients(plan: ClientPlan): readonly unknown[] {
  const options = {
    disableOfflineQueue: !plan.offlineQueue,
    ...(plan.commandTimeoutMs === null ? {} : { commandOptions: { timeout: plan.commandTimeoutMs } }),
  };
  return clientsOf(plan, options).map((client) => {
    client.on('error', () => {});
    client.connect().catch(() => {});
    return client;
  });
}

function clientsOf(plan: ClientPlan, options: object): Client[] {
  if (plan.cluster) {
    const rootNodes = plan.servers.map((name) => ({ url: `redis://${name}:6379` }));
    return [createCluster({ rootNodes, defaults: options }) as unknown as Client];
  }
  if (plan.sentinels.length > 0) {
    const sentinelRootNodes = plan.sentinels.map((host) => ({ host, port: 26_379 }));
    return plan.servers.map(
      (name) => createSentinel({ name, sentinelRootNodes, nodeClientOptions: options }) as unknown as Client,
    );
  }
  return plan.servers.map((name) => MODEL.duplicate({ ...options, url: `redis://${name}:6379` }));
}
