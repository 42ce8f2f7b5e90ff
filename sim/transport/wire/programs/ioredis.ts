/** Sealed with a lock whose clients ioredis makes, as a program would make them. */
import { Cluster, Redis } from 'ioredis';
import type { ClientPlan } from './plan.js';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

export function openClients(plan: ClientPlan): readonly unknown[] {
  const options = {
    enableOfflineQueue: plan.offlineQueue,
    maxRetriesPerRequest: plan.maxRetriesPerRequest,
    ...(plan.commandTimeoutMs === null ? {} : { commandTimeout: plan.commandTimeoutMs }),
  };
  return clientsOf(plan, options).map((client) => {
    // As every program should: without a listener ioredis prints its errors.
    client.on('error', () => {});
    return client;
  });
}

function clientsOf(plan: ClientPlan, options: object): (Redis | Cluster)[] {
  if (plan.cluster) {
    const nodes = plan.servers.map((host) => ({ host, port: REDIS_PORT }));
    return [new Cluster(nodes, { redisOptions: options, enableOfflineQueue: plan.offlineQueue })];
  }
  if (plan.sentinels.length === 0)
    return plan.servers.map((host) => new Redis({ host, port: REDIS_PORT, ...options }));
  const sentinels = plan.sentinels.map((host) => ({ host, port: SENTINEL_PORT }));
  return plan.servers.map((name) => new Redis({ sentinels, name, ...options }));
}
