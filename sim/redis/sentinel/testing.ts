/** For tests of Sentinels: a shard, Sentinels around it, what they publish, and faults by the names of hosts. */
import type { Host } from '../../host/host.js';
import { Clocks } from '../../kernel/clock.js';
import type { Channel } from '../../network/channel.js';
import type { EventOf } from '../../history/events.js';
import type { Reply } from '../keyspace.js';
import { Nodes, TestClient, type NodesSetting } from '../testing/nodes.js';
import { formSentinels } from './form.js';
import { SentinelServer } from './server.js';

export interface WatchedSetting extends NodesSetting {
  readonly sentinels?: number;
  readonly quorum?: number;
  readonly downAfterMs?: number;
  readonly failoverTimeoutMs?: number;
}

type Told = EventOf<'sentinel'>;

export class Watched extends Nodes {
  readonly sentinels: readonly SentinelServer[];

  constructor(setting: WatchedSetting = {}) {
    super({ replicas: 2, ...setting });
    const { sentinels = 3, quorum = 2, downAfterMs = 1000, failoverTimeoutMs = 5000 } = setting;
    const names = Array.from({ length: sentinels }, (_, index) => `sentinel-${index + 1}`);
    const watch = { quorum, downAfterMs, failoverTimeoutMs };
    this.sentinels = formSentinels(names, [this.shard], watch, (name, directory) => {
      const { context, network } = this;
      const common = { network, flavour: 'redis', version: [7, 0], directory } as const;
      return new SentinelServer(context, name, new Clocks(0, 0), common);
    });
  }

  /** Sentinel n, from 1. */
  sentinel(number: number): SentinelServer {
    return this.sentinels[number - 1]!;
  }

  host(name: string): Host {
    return [...this.shard.nodes, ...this.sentinels].find((each) => each.name === name)!;
  }

  /** The machine of a host goes down. */
  down(name: string): void {
    this.host(name).crash();
    this.network.sever(name);
  }

  back(name: string): void {
    const host = this.host(name);
    const node = this.shard.node(name);
    if (node === undefined) host.revive();
    else node.restart();
  }

  /** Cuts a host off from all others, both ways. */
  isolate(...names: string[]): void {
    this.eachBorder(names, (from, to) => this.network.partition(from, to));
  }

  rejoin(...names: string[]): void {
    this.eachBorder(names, (from, to) => this.network.heal(from, to));
  }

  private eachBorder(inside: string[], verb: (from: string, to: string) => void): void {
    for (const { name } of [...this.shard.nodes, ...this.sentinels]) {
      if (inside.includes(name)) continue;
      for (const each of inside) {
        verb(each, name);
        verb(name, each);
      }
    }
  }

  /** What the Sentinels told, in the order of time. */
  told(what?: RegExp | string, host?: string): Told[] {
    return this.recorder.events.filter((event): event is Told => {
      if (event.kind !== 'sentinel' || (host !== undefined && event.host !== host)) return false;
      return what === undefined || (typeof what === 'string' ? event.what === what : what.test(event.what));
    });
  }

  /** The times of what they told, in milliseconds. */
  times(what: RegExp | string, host?: string): number[] {
    return this.told(what, host).map(({ tUs }) => tUs / 1000);
  }

  /** The server that each Sentinel takes for the master. */
  masters(): (string | undefined)[] {
    return this.sentinels.map(({ masters }) => masters.get('redis-1')?.currentAddress.host);
  }

  promoted(): string[] {
    return this.recorder.events.flatMap((event) => (event.kind === 'promote' ? [event.replica] : []));
  }

  /** Asks a Sentinel at this very instant. */
  ask(number: number, ...args: string[]): unknown {
    return new TestClient(this, this.sentinel(number)).say(...args);
  }

  listen(number: number): Listener {
    return new Listener(this, this.sentinel(number));
  }
}

/** A client that keeps what is pushed to it. */
export class Listener extends TestClient {
  readonly heard: Reply[][] = [];

  pushed(_channel: Channel, items: readonly Reply[]): void {
    this.heard.push([...items]);
  }
}
