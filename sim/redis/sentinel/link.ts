/** A Sentinel's connections to one instance, and what PING says of it. */
import type { Reply } from '../keyspace.js';
import { ErrorReply, StatusReply } from '../keyspace.js';
import { Peer, type PeerOwner } from '../peer.js';
import type { Address } from './instance.js';
import type { SentinelServer } from './server.js';
import {
  HELLO_CHANNEL,
  HELLO_PERIOD_MS,
  LEAST_RECONNECT_MS,
  MOST_PENDING,
  PING_PERIOD_MS,
} from './timing.js';

export class Link implements PeerOwner {
  commands: Peer | null = null;
  private hello: Peer | null = null;
  /** Commands that were not answered yet. */
  pending = 0;
  /** When the first PING was sent that nothing valid has answered; 0: all are answered. */
  pingedMs: number;
  /** When the last PING was sent. */
  private lastPingMs = 0;
  /** When the last valid answer to a PING came, and when the last of any kind. */
  availableMs: number;
  answeredMs: number;
  private triedMs = 0;
  private commandsSinceMs = 0;
  private helloSinceMs = 0;
  private heardMs = 0;
  private over = false;

  /** @param listens subscribes to hello messages, as with masters and replicas */
  constructor(
    private readonly sentinel: SentinelServer,
    public address: Address,
    readonly listens: boolean,
  ) {
    const { nowMs } = sentinel;
    // Nothing is known: silence counts from here.
    this.pingedMs = nowMs;
    this.availableMs = nowMs;
    this.answeredMs = nowMs;
  }

  get disconnected(): boolean {
    return this.commands === null || (this.listens && this.hello === null);
  }

  /** The connections are up and PING has been answered, as in a cluster that has been running. */
  established(pingedMs: number): void {
    this.pingedMs = 0;
    this.lastPingMs = pingedMs;
    this.availableMs = pingedMs;
    this.answeredMs = pingedMs;
    this.connect(true);
  }

  reconnect(): void {
    const { nowMs } = this.sentinel;
    if (!this.disconnected || this.over || nowMs - this.triedMs < PING_PERIOD_MS) return;
    this.triedMs = nowMs;
    this.connect(false);
  }

  private connect(established: boolean): void {
    const { sentinel, address } = this;
    const server = sentinel.directory(address);
    if (server === undefined) return;
    const { nowMs, network } = sentinel;
    if (this.commands === null) {
      this.commands = new Peer(sentinel, network, this, server, established);
      this.pending = 0;
      this.commandsSinceMs = nowMs;
      if (!established) {
        this.send(['CLIENT', 'SETNAME', `sentinel-${sentinel.runId.slice(0, 8)}-cmd`]);
        this.ping();
      }
    }
    if (this.listens && this.hello === null) {
      this.hello = new Peer(sentinel, network, this, server, established);
      this.helloSinceMs = nowMs;
      this.heardMs = nowMs;
      if (!established)
        this.hello.send(['CLIENT', 'SETNAME', `sentinel-${sentinel.runId.slice(0, 8)}-pubsub`]);
      this.hello.send(['SUBSCRIBE', HELLO_CHANNEL]);
    }
  }

  /** False when the command can't be sent: no connection, or too much is unanswered. */
  send(args: readonly string[], done: ((reply: Reply) => void) | null = null): boolean {
    if (this.commands === null || this.pending >= MOST_PENDING) return false;
    this.pending++;
    this.commands.send(args, (reply) => {
      this.pending--;
      done?.(reply);
    });
    return true;
  }

  ping(): void {
    const { sentinel } = this;
    if (!this.send(['PING'], (reply) => this.pinged(reply))) return;
    this.lastPingMs = sentinel.nowMs;
    if (this.pingedMs === 0) this.pingedMs = this.lastPingMs;
  }

  /** @param periodMs how often the instance is pinged */
  pingIfDue(periodMs: number): void {
    const { nowMs } = this.sentinel;
    if (nowMs - this.answeredMs > periodMs && nowMs - this.lastPingMs > periodMs / 2) this.ping();
  }

  private pinged(reply: Reply): void {
    const { nowMs } = this.sentinel;
    this.answeredMs = nowMs;
    if (!isAlive(reply)) return;
    this.availableMs = nowMs;
    this.pingedMs = 0;
  }

  /** For how long nothing has shown that the instance is there. */
  silentMs(): number {
    const { nowMs } = this.sentinel;
    if (this.pingedMs !== 0) return nowMs - this.pingedMs;
    return this.disconnected ? nowMs - this.availableMs : 0;
  }

  /** Gives up connections on which nothing comes any more: a new one may get through. */
  renewStale(downAfterMs: number): void {
    const { nowMs } = this.sentinel;
    if (
      this.commands !== null &&
      nowMs - this.commandsSinceMs > LEAST_RECONNECT_MS &&
      this.pingedMs !== 0 &&
      nowMs - this.pingedMs > downAfterMs / 2 &&
      nowMs - this.answeredMs > downAfterMs / 2
    ) {
      this.commands.close();
      this.commands = null;
    }
    if (
      this.hello !== null &&
      nowMs - this.helloSinceMs > LEAST_RECONNECT_MS &&
      nowMs - this.heardMs > HELLO_PERIOD_MS * 3
    ) {
      this.hello.close();
      this.hello = null;
    }
  }

  broke(peer: Peer): void {
    if (peer === this.commands) this.commands = null;
    if (peer === this.hello) this.hello = null;
  }

  pushed(_peer: Peer, items: readonly Reply[]): void {
    this.heardMs = this.sentinel.nowMs;
    if (items[0] === 'message' && typeof items[2] === 'string') this.sentinel.hello(items[2]);
  }

  /** Both connections are given up; with `over` for good. */
  close(over: boolean): void {
    this.over ||= over;
    this.commands?.close();
    this.hello?.close();
    this.commands = null;
    this.hello = null;
    this.pending = 0;
  }

  /** Another server takes the place of the one that was watched. */
  lead(address: Address): void {
    const { nowMs } = this.sentinel;
    this.close(false);
    this.address = address;
    this.pingedMs = nowMs;
    this.lastPingMs = 0;
    this.availableMs = nowMs;
    this.answeredMs = nowMs;
  }
}

/** A server that loads its data or has lost its master is there. */
function isAlive(reply: Reply): boolean {
  if (reply instanceof StatusReply) return reply.text === 'PONG';
  return reply instanceof ErrorReply && /^(LOADING|MASTERDOWN)/.test(reply.text);
}
