/**
 * The names and addresses of the simulated machines. `redis-1` is the server's name: with an operator's failover it moves to
 * the node that was promoted. Where Sentinels or a cluster tell clients their way, every name is a node's own.
 */
import type { Channel } from '../../network/channel.js';
import type { CommandServer } from '../../redis/request.js';
import type { Shard } from '../../redis/shard.js';
import type { Target } from './sockets.js';

const REDIS_PORT = 6379;
const SENTINEL_PORT = 26_379;

/** A machine and the port on which it listens. */
interface Machine {
  readonly port: number;
  readonly target: Target;
}

/** Nothing listens at this port of a machine: whoever connects is refused. */
class SilentPort implements CommandServer {
  readonly up = false;

  constructor(readonly host: CommandServer['host']) {}

  accept(): void {}
  receive(): void {}
  receiveBatch(): void {}
  closed(_channel: Channel): void {}
}

export class Directory {
  private readonly byAddress = new Map<string, Machine>();
  private readonly addresses = new Map<string, string>();
  /** Names that move. */
  private readonly shards = new Map<string, Shard>();

  /** @param guided Sentinels or the cluster itself tell clients where to go */
  constructor(
    shards: readonly Shard[],
    sentinels: readonly CommandServer[],
    guided: 'no' | 'sentinels' | 'cluster',
  ) {
    shards.forEach((shard, index) => {
      shard.nodes.forEach((node, place) => {
        const name = guided === 'cluster' ? node.name : shard.name;
        this.add(node.name, `10.0.${place}.${index + 1}`, {
          port: REDIS_PORT,
          target: { server: node, name },
        });
      });
      if (guided === 'no') this.shards.set(shard.name, shard);
    });
    sentinels.forEach((server, index) => {
      const { name } = server.host;
      this.add(name, `10.1.0.${index + 1}`, { port: SENTINEL_PORT, target: { server, name } });
    });
  }

  private add(name: string, address: string, machine: Machine): void {
    this.addresses.set(name, address);
    this.byAddress.set(address, machine);
  }

  /** The address of a machine by name or address; null: there is none. */
  address(name: string): string | null {
    if (this.byAddress.has(name)) return name;
    const shard = this.shards.get(name);
    return this.addresses.get(shard === undefined ? name : shard.serving.name) ?? null;
  }

  /** @param address as {@link address} gives it */
  target(address: string, port: number): Target {
    const { target, port: listens } = this.byAddress.get(address)!;
    return port === listens ? target : { server: new SilentPort(target.server.host), name: target.name };
  }
}
