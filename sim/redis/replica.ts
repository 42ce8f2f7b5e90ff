/**
 * The replica of a server: it follows the master's changes with a lag, in order. It keeps expired keys until the
 * master's deletion arrives, as real replicas do; reads are not offered here.
 */
import { Host } from '../host/host.js';
import type { ProcessContext } from '../host/process.js';
import type { Clocks } from '../kernel/clock.js';
import { uniformInt, type Stream } from '../kernel/random.js';
import type { DurationUs } from '../network/link.js';
import type { Bytes, KeyRecord } from './keyspace.js';
import type { RedisServer } from './server.js';

interface Entry {
  readonly record: KeyRecord;
  readonly setter: string | null;
}

interface Change {
  readonly key: Bytes;
  readonly entry: Entry | undefined;
}

export class Replica extends Host {
  private readonly data = new Map<Bytes, Entry>();
  private readonly stream: Stream;
  private lastArrivalUs = 0;
  private sent = 0;
  private applied = 0;
  /** Counts the streams from the master; changes of a broken one never arrive. */
  private generation = 0;

  constructor(
    protected override readonly context: ProcessContext,
    name: string,
    clocks: Clocks,
    private readonly master: RedisServer,
    private readonly lagUs: DurationUs,
  ) {
    super(context, name, clocks);
    this.stream = context.streams.open(name, 'lag');
  }

  /** Changes that the master made and this replica has not. */
  get behind(): number {
    return this.sent - this.applied;
  }

  /** The master changed these keys with one command. */
  follow(keys: readonly Bytes[]): void {
    const { kernel } = this.context;
    const changes = keys.map((key): Change => {
      const record = this.master.keyspace.record(key);
      return { key, entry: record && { record, setter: this.master.setterOf(key) } };
    });
    this.sent++;
    const arrivesUs = kernel.nowUs + uniformInt(this.stream, this.lagUs[0], this.lagUs[1]);
    this.lastArrivalUs = Math.max(arrivesUs, this.lastArrivalUs);
    const batch = { generation: this.generation, changes };
    kernel.at(this.lastArrivalUs, this, Replica.receive, this as Replica, batch);
  }

  /** The master is down: what is still on its way never arrives. */
  cutOff(): void {
    this.generation++;
  }

  /** The master is back before anyone took its place: everything is copied anew. */
  resync(keys: readonly Bytes[]): void {
    this.generation++;
    this.sent = this.applied;
    const gone = [...this.data.keys()].filter((key) => !keys.includes(key));
    this.follow([...keys, ...gone]);
  }

  private static receive(replica: Replica, batch: { generation: number; changes: readonly Change[] }): void {
    if (replica.generation !== batch.generation || !replica.up) return;
    replica.applied++;
    for (const { key, entry } of batch.changes) {
      if (entry === undefined) replica.data.delete(key);
      else replica.data.set(key, entry);
    }
    const { moments } = replica.context;
    if (moments.watching.replicated !== null) moments.pass('replicated', null, replica.master.name);
  }

  contents(): Iterable<readonly [Bytes, Entry]> {
    return this.data;
  }
}
