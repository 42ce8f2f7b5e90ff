/** Which of a client's commands go to a replica: those that only read, outside of transactions. */
import { readsOnly } from '../../redis/native/facts.js';
import type { Shard } from '../../redis/shard.js';
import type { CommandServer } from '../../redis/request.js';
import type { Address, Connection } from './connection.js';

/** The first replica that is up; the master, while there is none. */
export class ReplicaAddress implements Address {
  readonly name: string;

  constructor(private readonly shard: Shard) {
    this.name = (shard.nodes[1] ?? shard.nodes[0]!).name;
  }

  get serving(): CommandServer {
    const { nodes, serving } = this.shard;
    return nodes.find(({ up, mode }) => up && mode.replica) ?? serving;
  }
}

/** A client's second connection, as ioredis with `scaleReads` keeps one. Scripts always go to the master. */
export class Reads {
  /** Between MULTI or WATCH and their end everything is the master's. */
  private within = false;

  constructor(
    private readonly master: Connection,
    readonly replica: Connection,
  ) {}

  /** @param name of a command, in upper case */
  connectionFor(name: string): Connection {
    if (name === 'MULTI' || name === 'WATCH') this.within = true;
    else if (name === 'EXEC' || name === 'DISCARD' || name === 'UNWATCH') this.within = false;
    return this.within || !readsOnly(name) ? this.master : this.replica;
  }
}
