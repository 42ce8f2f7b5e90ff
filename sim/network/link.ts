/** One direction between two hosts: how long bytes take, and what keeps them. */
import { uniformInt, type Stream, type StreamName, type Streams } from '../kernel/random.js';
import type { Lane } from './channel.js';

/** `[least, most]` in whole microseconds. */
export type DurationUs = readonly [number, number];

/** What does not change from run to run. */
export interface LinkPlan {
  readonly from: string;
  readonly to: string;
  /** `p1->redis-1` */
  readonly name: string;
  readonly usual: DurationUs;
  /** Of the stream that latencies are drawn from. */
  readonly latency: StreamName;
  /** Ordinal among the links of the plan. */
  readonly index: number;
}

const NOBODY: Lane[] = [];

export class Link {
  /** Cuts that are in force; bytes that would arrive meanwhile wait for the last one to heal. */
  cuts = 0;
  /** Holds that are in force; bytes sent meanwhile wait. */
  holds = 0;
  /** A latency in place of the usual one. */
  slow: DurationUs | null = null;
  /** Lanes with parked messages, in the order in which they were parked. */
  private parked: Lane[] = NOBODY;
  private stream: Stream | null = null;
  private lossStream: Stream | null = null;

  constructor(
    private readonly streams: Streams,
    private readonly plan: LinkPlan,
    private readonly loss: number,
    private readonly retransmitUs: number,
  ) {}

  get from(): string {
    return this.plan.from;
  }

  get to(): string {
    return this.plan.to;
  }

  latencyUs(): number {
    const range = this.slow ?? this.plan.usual;
    if (range[0] === range[1]) return range[0];
    this.stream ??= this.streams.openNamed(this.plan.latency);
    return uniformInt(this.stream, range[0], range[1]);
  }

  /** Delay by lost segments: each is sent again after a time that doubles. At most `giveUpUs`. */
  lossUs(giveUpUs: number): number {
    if (this.loss === 0) return 0;
    const stream = (this.lossStream ??= this.streams.open(this.plan.name, 'loss'));
    let wait = this.retransmitUs;
    let total = 0;
    while (total < giveUpUs && stream.next() < this.loss) {
      total += wait;
      wait *= 2;
    }
    return Math.min(total, giveUpUs);
  }

  /** A lane keeps messages back from now on. */
  park(lane: Lane): void {
    if (this.parked === NOBODY) this.parked = [lane];
    else if (!this.parked.includes(lane)) this.parked.push(lane);
  }

  /** A lane keeps nothing back any more. */
  forget(lane: Lane): void {
    if (this.parked.includes(lane)) this.parked = this.parked.filter((each) => each !== lane);
  }

  /** The lanes that kept messages back, which it forgets. */
  unpark(): Lane[] {
    const lanes = this.parked;
    this.parked = NOBODY;
    return lanes;
  }
}
