/**
 * A simulated Redis server: a host around a {@link Keyspace}. It executes one command at a time, remembers who set each
 * key, reports what happens to keys, expires them by its own wall clock, and survives (or not) a crash.
 */
import type { HistoryEvent } from '../history/events.js';
import type { Clocks } from '../kernel/clock.js';
import type { KernelEvent } from '../kernel/heap.js';
import { Host } from '../host/host.js';
import type { ProcessContext } from '../host/process.js';
import type { Channel, ServerEnd } from '../network/channel.js';
import type { Batch, Command } from '../transport/direct/command.js';
import {
  ErrorReply,
  type Bytes,
  type KeyEffect,
  modeOf,
  STANDALONE,
  type KeyspaceHost,
  type Session,
  type Keyspace,
  type KeyspaceFactory,
  type Reply,
  type ServerMode,
} from './keyspace.js';
import type { Replica } from './replica.js';
import { replyText } from './reply-text.js';

type KeyEvent = Extract<HistoryEvent, { kind: 'key' }>;
export type Persistence = 'none' | 'rdb' | 'aof-always';

export class RedisServer extends Host implements KeyspaceHost, ServerEnd {
  readonly mode: ServerMode;
  readonly keyspace: Keyspace;
  replica: Replica | null = null;
  /** Who set each live key: a hold, or null (nobody's hold). */
  private readonly setters = new Map<Bytes, string | null>();
  private current: Command | null = null;
  private changed: Bytes[] | null = null;
  private alarm: KernelEvent | null = null;
  private alarmMs = Infinity;
  private cleanStop = false;
  /** A record is being loaded: no news to the history. */
  private silent = false;

  constructor(
    protected override readonly context: ProcessContext,
    name: string,
    clocks: Clocks,
    createKeyspace: KeyspaceFactory,
    version: readonly [number, number],
    private readonly persistence: Persistence,
  ) {
    super(context, name, clocks);
    this.mode = modeOf(version);
    this.keyspace = createKeyspace(this.mode, this);
  }

  get host(): Host {
    return this;
  }

  /** Makes scripts known, as those of a server that has been in use are. */
  loadScripts(texts: readonly Bytes[]): void {
    const session = this.keyspace.openSession();
    for (const text of texts) this.keyspace.execute(session, ['SCRIPT', 'LOAD', text], this.clocks.wallUs(0));
    this.keyspace.closeSession(session);
  }

  // ---- connections

  accept(channel: Channel): void {
    if (this.up) channel.session = this.keyspace.openSession();
  }

  closed(channel: Channel): void {
    if (channel.session !== null) this.keyspace.closeSession(channel.session);
    channel.session = null;
  }

  receive(channel: Channel, command: Command): void {
    if (!this.apply(channel, command)) return;
    this.respond(channel, command, command);
  }

  receiveBatch(channel: Channel, batch: Batch): void {
    for (const command of batch.commands) if (!this.apply(channel, command)) return;
    this.respond(channel, batch, batch.commands[0]!);
  }

  private respond(channel: Channel, message: Command | Batch, command: Command): void {
    const { moments } = this.context;
    const hits =
      moments.watching.replied === null
        ? null
        : moments.match('replied', command.by, this.name, command.args[0]!.toUpperCase());
    if (!channel.abandoned) channel.toClient.send(message, hits === null ? 0 : moments.delayUs(hits));
    if (hits !== null) moments.strikeAll(hits, command.connection.host);
  }

  /** False when a fault struck between the command and its reply, and there is none. */
  private apply(channel: Channel, command: Command): boolean {
    const { session } = channel;
    if (session === null || !this.up) return false;
    const { kernel, recorder, moments } = this.context;
    const event: Extract<HistoryEvent, { kind: 'apply' }> = {
      i: 0,
      tUs: kernel.nowUs,
      host: this.name,
      kind: 'apply',
      command: command.id,
      by: command.by,
      task: command.task,
      hold: command.hold,
      op: command.op,
      args: command.args as Bytes[],
      reply: '',
    };
    recorder.add(event);
    this.current = command;
    command.reply = this.keyspace.execute(session, command.args, this.clocks.wallUs(kernel.nowUs));
    this.current = null;
    event.reply = replyText(command.reply);
    this.settleChanges();
    if (moments.watching.applied !== null && !(command.reply instanceof ErrorReply)) {
      moments.pass('applied', command.connection.host, this.name, command.args[0]!.toUpperCase());
    }
    if (moments.watching.voted !== null && command.voted) {
      moments.pass('voted', command.connection.host, this.name, command.args[0]!.toUpperCase());
    }
    return this.up && !channel.broken;
  }

  readonly services = STANDALONE;

  unblocking(_session: Session): void {}

  unblocked(_session: Session, _reply: Reply): void {}

  push(_session: Session, _message: readonly Reply[]): void {}

  hangUp(_session: Session): void {}

  // ---- keys

  keyChanged(key: Bytes, effect: KeyEffect, deadlineMs: number | null): void {
    if (this.silent) return;
    const { kernel, recorder } = this.context;
    const command = this.current;
    const owner = this.setters.get(key) ?? null;
    const event: KeyEvent = {
      i: 0,
      tUs: kernel.nowUs,
      host: this.name,
      kind: 'key',
      key,
      effect,
      deadlineMs,
      setter: effect === 'set' && command !== null ? command.hold : owner,
    };
    if (command !== null && effect !== 'expired' && effect !== 'evicted') {
      event.by = command.by;
      event.hold = command.hold;
      event.op = command.op;
      event.command = command.id;
    }
    if (effect === 'set') {
      event.previous = owner;
      if (command !== null && command.op === 'acquire') command.voted = true;
      this.setters.set(key, event.setter);
    } else if (effect === 'deleted' || effect === 'expired' || effect === 'evicted') this.setters.delete(key);
    recorder.add(event);
    (this.changed ??= []).push(key);
  }

  setterOf(key: Bytes): string | null {
    return this.setters.get(key) ?? null;
  }

  /** After keys changed: the alarm for the next expiry, and the stream to the replica. */
  private settleChanges(): void {
    if (this.changed === null) return;
    this.replica?.follow(this.changed);
    this.changed = null;
    this.setAlarm();
  }

  private setAlarm(): void {
    const { kernel } = this.context;
    const nextMs = this.keyspace.nextWakeMs();
    if (nextMs === this.alarmMs && this.alarm !== null) return;
    if (this.alarm !== null) kernel.cancel(this.alarm);
    this.alarm = null;
    this.alarmMs = nextMs;
    if (nextMs === Infinity) return;
    // Redis: expired when now > when, in whole milliseconds.
    const tUs = this.clocks.whenWall((nextMs + 1) * 1000, kernel.nowUs);
    this.alarm = kernel.at(tUs, null, RedisServer.ring, this as RedisServer, null);
  }

  private static ring(server: RedisServer): void {
    server.alarm = null;
    server.keyspace.wake(server.clocks.wallUs(server.context.kernel.nowUs));
    server.changedByItself();
  }

  private changedByItself(): void {
    this.settleChanges();
    if (this.alarm === null) {
      this.alarmMs = Infinity;
      this.setAlarm();
    }
  }

  protected override clockChanged(): void {
    if (this.alarm !== null) this.context.kernel.cancel(this.alarm);
    this.alarm = null;
    this.keyspace.wake(this.clocks.wallUs(this.context.kernel.nowUs));
    this.changedByItself();
  }

  // ---- life

  override crash(): void {
    if (!this.up) return;
    super.crash();
    this.replica?.cutOff();
  }

  /** An orderly stop saves all there is, if anything is ever saved. */
  shutdown(): void {
    this.cleanStop = this.persistence !== 'none';
    this.crash();
  }

  restart(): void {
    if (this.up) return;
    const keeps = this.persistence === 'aof-always' || this.cleanStop;
    this.cleanStop = false;
    this.comeUp(keeps ? 'kept' : 'lost');
    if (keeps) {
      this.keyspace.wake(this.clocks.wallUs(this.context.kernel.nowUs));
    } else {
      for (const key of [...this.setters.keys()]) this.forget(key);
      this.keyspace.reset();
    }
    this.changed = null;
    this.replica?.resync([...this.setters.keys()]);
    this.changedByItself();
  }

  private comeUp(data: 'kept' | 'lost' | 'none'): void {
    this.up = true;
    this.context.recorder.add({
      i: 0,
      tUs: this.context.kernel.nowUs,
      host: this.name,
      kind: 'restart',
      data,
    });
  }

  private forget(key: Bytes): void {
    this.transition(key, 'lost', null, this.setterOf(key));
    this.setters.delete(key);
  }

  /** This address is served by the replica from now on, with what had reached it and with its clock. */
  promote(): void {
    const replica = this.replica;
    if (replica === null) return;
    const { kernel, recorder } = this.context;
    const { name } = this;
    recorder.add({
      i: 0,
      tUs: kernel.nowUs,
      host: name,
      kind: 'promote',
      replica: replica.name,
      unreplicated: replica.behind,
    });
    if (!this.up) this.comeUp('none');
    this.replica = null;
    this.adopt(replica);
  }

  private adopt(replica: Replica): void {
    const before = new Map(this.setters);
    this.keyspace.reset();
    this.setters.clear();
    this.clocks.follow(replica.clocks, this.context.kernel.nowUs);
    this.recordClock('step');
    for (const [key, { record, setter }] of replica.contents()) {
      this.setters.set(key, setter);
      this.silent = true;
      this.keyspace.load(key, record);
      this.silent = false;
      const known = before.get(key);
      before.delete(key);
      if (known !== setter) this.transition(key, 'restored', record.deadlineMs, setter);
    }
    for (const [key, setter] of before) this.transition(key, 'lost', null, setter);
    this.alarm = null;
    this.keyspace.wake(this.clocks.wallUs(this.context.kernel.nowUs));
    this.changedByItself();
  }

  private transition(
    key: Bytes,
    effect: 'lost' | 'restored',
    deadlineMs: number | null,
    setter: string | null,
  ): void {
    this.context.recorder.add({
      i: 0,
      tUs: this.context.kernel.nowUs,
      host: this.name,
      kind: 'key',
      key,
      effect,
      deadlineMs,
      setter,
    });
  }
}
