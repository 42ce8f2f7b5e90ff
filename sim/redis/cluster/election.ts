/**
 * How a replica replaces its failed master: it waits its turn, asks all masters for their votes, and takes over with those of
 * a majority (Redis Cluster specification, "Replica election and promotion").
 */
import { uniformInt } from '../../kernel/random.js';
import type { Member } from './member.js';
import type { BusMessage } from './messages.js';
import type { ClusterNode } from './node.js';

/** The FAIL has this long to get around; then comes a random wait of less than the same, and a second for each rank. */
const DELAY_MS = 500;
const RANK_DELAY_MS = 1000;
const LEAST_TIMEOUT_MS = 2000;
/** `repl-ping-replica-period`: how old data is even of a replica in good order. */
const REPLICATION_PING_MS = 10_000;

export class Election {
  /** When votes are asked for. */
  private atMs = 0;
  private asked = false;
  private votes = 0;
  private rank = 0;
  private epoch = 0;

  constructor(private readonly node: ClusterNode) {}

  restarted(): void {
    this.atMs = 0;
    this.asked = false;
    this.votes = 0;
  }

  /** Takes the next step, if one is due. */
  run(): void {
    const { node } = this;
    const { view, manual, nowMs } = node;
    const { master } = view.self;
    if (master === null || !view.counts(master)) return;
    if (master.standing !== 'failed' && !manual.ready) return;
    if (!manual.ready && this.isTooOld()) return;
    const timeoutMs = Math.max(node.setting.nodeTimeoutMs * 2, LEAST_TIMEOUT_MS);
    const ageMs = nowMs - this.atMs;
    if (ageMs > timeoutMs * 2) {
      this.schedule(master);
      return;
    }
    if (!this.asked && !manual.active) this.yieldTo(this.rankNow(master));
    if (nowMs < this.atMs || ageMs > timeoutMs) return;
    if (!this.asked) this.ask();
    else if (this.votes >= view.quorum) this.win();
  }

  private schedule(master: Member): void {
    const { node } = this;
    this.asked = false;
    this.votes = 0;
    if (node.manual.active) {
      this.atMs = node.nowMs;
      this.rank = 0;
    } else {
      this.rank = this.rankNow(master);
      const jitterMs = uniformInt(node.stream, 0, DELAY_MS - 1);
      this.atMs = node.nowMs + DELAY_MS + jitterMs + this.rank * RANK_DELAY_MS;
    }
    for (const replica of node.view.replicasOf(master)) if (replica !== node.view.self) node.pong(replica);
  }

  /** How many replicas of the same master are further than this one. */
  private rankNow(master: Member): number {
    const { view, server } = this.node;
    const { offset } = server.replication;
    return view.replicasOf(master).filter((each) => each !== view.self && each.offset > offset).length;
  }

  private yieldTo(rank: number): void {
    if (rank <= this.rank) return;
    this.atMs += (rank - this.rank) * RANK_DELAY_MS;
    this.rank = rank;
  }

  private isTooOld(): boolean {
    const { replicaValidityFactor, nodeTimeoutMs } = this.node.setting;
    if (replicaValidityFactor === 0) return false;
    let ageMs = this.node.dataAgeMs();
    if (ageMs > nodeTimeoutMs) ageMs -= nodeTimeoutMs;
    return ageMs > REPLICATION_PING_MS + nodeTimeoutMs * replicaValidityFactor;
  }

  private ask(): void {
    const { node } = this;
    this.epoch = ++node.view.currentEpoch;
    this.asked = true;
    node.broadcast({ type: 'auth-req', manual: node.manual.active });
  }

  /** A master votes for this node. */
  voted(voter: Member, { header }: BusMessage): void {
    if (!this.node.view.counts(voter) || header.currentEpoch < this.epoch) return;
    this.votes++;
    this.run();
  }

  private win(): void {
    const { self } = this.node.view;
    self.configEpoch = Math.max(self.configEpoch, this.epoch);
    this.node.takeOver();
  }
}
