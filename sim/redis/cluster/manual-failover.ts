/**
 * CLUSTER FAILOVER: a replica replaces a master that is well. The master keeps its clients' writes waiting until the replica
 * has all it has, so that nothing is lost; FORCE does without the master, TAKEOVER without anybody.
 */
import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import type { Member } from './member.js';
import type { Header } from './messages.js';
import type { ClusterNode } from './node.js';

const TIMEOUT_MS = 5000;
/** The master's clients wait at most so many time-outs. */
const PAUSE_TIMEOUTS = 2;

const SYNTAX = new ErrorReply('ERR syntax error');
const NOT_A_REPLICA = new ErrorReply('ERR You should send CLUSTER FAILOVER to a replica');
const MASTER_IS_DOWN = new ErrorReply('ERR Master is down or failed, please use CLUSTER FAILOVER FORCE');

export class ManualFailover {
  /** When it is given up; null: none is under way. */
  private endMs: number | null = null;
  /** A replica's: the master's offset while its clients wait. */
  private masterOffset: number | null = null;
  private mayStart = false;
  /** A master's: the replica that is to replace it. */
  private successor: Member | null = null;

  constructor(private readonly node: ClusterNode) {}

  get active(): boolean {
    return this.endMs !== null;
  }

  /** The replica may ask for votes. */
  get ready(): boolean {
    return this.active && this.mayStart;
  }

  /** A master whose clients wait. */
  get holdsClients(): boolean {
    return this.active && this.successor !== null;
  }

  isSuccessor(member: Member): boolean {
    return this.active && this.successor === member;
  }

  command(args: readonly Bytes[]): Reply {
    const how = args[2]?.toUpperCase();
    if (how !== undefined && how !== 'FORCE' && how !== 'TAKEOVER') return SYNTAX;
    const { view } = this.node;
    const { master } = view.self;
    if (master === null) return NOT_A_REPLICA;
    if (how === undefined && (master.standing === 'failed' || master.link === null)) return MASTER_IS_DOWN;
    this.reset();
    if (how === 'TAKEOVER') this.takeOver();
    else {
      this.endMs = this.node.nowMs + TIMEOUT_MS;
      if (how === 'FORCE') this.mayStart = true;
      else this.node.send(master, { type: 'mfstart' });
    }
    return OK;
  }

  /** Becomes the master without asking anybody. */
  takeOver(): void {
    const { view } = this.node;
    view.self.configEpoch = ++view.currentEpoch;
    this.node.takeOver();
  }

  /** A replica of this master asks for its place. */
  begin(replica: Member): void {
    const { node } = this;
    if (replica.master !== node.view.self) return;
    this.reset();
    this.endMs = node.nowMs + TIMEOUT_MS;
    this.successor = replica;
    node.execute(['CLIENT', 'PAUSE', String(TIMEOUT_MS * PAUSE_TIMEOUTS), 'WRITE']);
    node.ping(replica);
  }

  /** The master says how far it is. */
  heard(sender: Member, { paused, offset }: Header): void {
    if (!this.active || !paused || this.masterOffset !== null || sender !== this.node.view.self.master)
      return;
    this.masterOffset = offset;
  }

  /** Each cron: gives up in time; a replica that has everything may start. */
  run(): void {
    if (this.endMs === null) return;
    if (this.endMs < this.node.nowMs) this.reset();
    else if (this.masterOffset !== null && this.masterOffset === this.node.server.replication.offset)
      this.mayStart = true;
  }

  reset(): void {
    if (this.holdsClients) this.node.execute(['CLIENT', 'UNPAUSE']);
    this.endMs = null;
    this.masterOffset = null;
    this.mayStart = false;
    this.successor = null;
  }
}
