/**
 * How a client finds its master, as ioredis does with `sentinels`: it asks one Sentinel after the other, opens a connection to
 * the server that one names, and stays if that calls itself a master.
 */
import type { Process } from '../../host/process.js';
import type { Network } from '../../network/network.js';
import type { Reply } from '../../redis/keyspace.js';
import type { CommandServer } from '../../redis/request.js';
import { Query } from './query.js';

/** The connection that looks for its server. */
export interface Seeker {
  /** Opens a connection to the server that was found. */
  lead(server: CommandServer): void;
  /** The server that it reached is the wrong one: closes, and tries again later. */
  retreat(): void;
  /** The server that it reached is the right one. */
  begin(): void;
  /** Does something later, unless the connection is over by then. */
  later(delayMs: number, what: () => void): void;
  report(error: Error): void;
}

export interface Sentinels {
  readonly hosts: readonly CommandServer[];
  /** The server of a host by its name. */
  server(host: string): CommandServer | undefined;
}

const ALL_UNREACHABLE = 'All sentinels are unreachable. Retrying from scratch after';
/** A server that loads its data is asked again. */
const LOADING_RETRY_MS = 1000;

export class Discovery {
  /** In the order in which they are asked. */
  private readonly hosts: CommandServer[];
  private cursor = 0;
  private rounds = 0;
  private lastError: Error | null = null;
  private query: Query | null = null;

  /** @param name of the master that the Sentinels watch */
  constructor(
    private readonly process: Process,
    private readonly network: Network,
    private readonly sentinels: Sentinels,
    readonly name: string,
  ) {
    this.hosts = [...sentinels.hosts];
  }

  get addresses(): { host: string; port: number }[] {
    return this.sentinels.hosts.map(({ host }) => ({ host: host.name, port: 26379 }));
  }

  /** The same for another connection. */
  anew(): Discovery {
    return new Discovery(this.process, this.network, this.sentinels, this.name);
  }

  /** The connection is open from the start: it asked the first Sentinel, long ago. */
  found(): this {
    this.cursor = 1;
    return this;
  }

  find(seeker: Seeker): void {
    this.rounds = 0;
    this.lastError = null;
    this.next(seeker);
  }

  /** The connection is over. */
  stop(): void {
    this.query?.close();
    this.query = null;
  }

  private next(seeker: Seeker): void {
    const sentinel = this.hosts[this.cursor];
    if (sentinel === undefined) {
      this.fromScratch(seeker);
      return;
    }
    this.cursor++;
    const done = (reply: Reply, error: Error | null): void => {
      this.query = null;
      if (error !== null) this.lastError = error;
      const server = Array.isArray(reply) ? this.sentinels.server(String(reply[0])) : undefined;
      if (server === undefined) this.next(seeker);
      else seeker.lead(server);
    };
    this.query = new Query(this.process, this.network, sentinel, this.name, done);
  }

  private fromScratch(seeker: Seeker): void {
    this.cursor = 0;
    const delayMs = Math.min(++this.rounds * 10, 1000);
    const because = this.lastError === null ? '' : ` Last error: ${this.lastError.message}`;
    seeker.later(delayMs, () => this.next(seeker));
    seeker.report(new Error(`${ALL_UNREACHABLE} ${delayMs}ms.${because}`));
  }

  /** @param info what the server that was reached says of itself; null: nothing that helps */
  judge(seeker: Seeker, info: string | null, again: () => void): void {
    if (info === null) seeker.retreat();
    else if (/^loading:[1-9]/m.test(info)) seeker.later(LOADING_RETRY_MS, again);
    else if (/^role:master\r?$/m.test(info)) seeker.begin();
    else {
      this.preferAnother();
      seeker.retreat();
    }
  }

  /** Whoever named the wrong server is asked later than the others: as ioredis moves its list. */
  private preferAnother(): void {
    const { hosts } = this;
    const cursor = Math.min(this.cursor + 2, hosts.length);
    if (hosts.length > 1 && cursor !== 1) hosts.unshift(...hosts.splice(cursor - 1));
    this.cursor = 0;
  }
}
