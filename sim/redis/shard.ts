import type { RedisServer } from './server.js';

/** One server of the lock: a master and its replicas, reached under one name. */
export class Shard {
  readonly nodes: RedisServer[] = [];
  /** The node that has the name: the master that was promoted last, in the eyes of those that nobody tells better. */
  serving!: RedisServer;

  constructor(readonly name: string) {}

  node(name: string): RedisServer | undefined {
    return this.nodes.find((node) => node.name === name);
  }
}
