/**
 * Pub/sub of a cluster client, as ioredis' Cluster has it: one more connection, to a node at random, from whom messages come
 * wherever they were published. When it is lost, another node is picked.
 */
import type { Moments } from '../../faults/moments.js';
import type { Network } from '../../network/network.js';
import type { ClusterPool } from './cluster-pool.js';
import { Connection, type Address, type Emitter } from './connection.js';

const COMMANDS: ReadonlySet<string> = new Set([
  'SUBSCRIBE',
  'PSUBSCRIBE',
  'SSUBSCRIBE',
  'UNSUBSCRIBE',
  'PUNSUBSCRIBE',
  'SUNSUBSCRIBE',
]);

export function isForSubscriber(name: string): boolean {
  return COMMANDS.has(name);
}

/** @param client its listeners hear of messages, and of nothing else that happens to this connection */
export function openSubscriber(
  pool: ClusterPool,
  network: Network,
  moments: Moments,
  client: Emitter,
): Connection {
  const address: Address = {
    name: 'cluster',
    get serving() {
      return pool.anyNode();
    },
  };
  const options = { ...pool.options, offlineQueue: true, maxRetriesPerRequest: null };
  const connection = new Connection(pool.host, network, moments, address, options, false);
  connection.emitter = {
    emit: (event, ...args) => {
      if (event.endsWith('message')) client.emit(event, ...args);
    },
    run: (name, args) => client.run(name, args),
  };
  return connection;
}
