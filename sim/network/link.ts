/** One direction between two hosts: how long bytes take, and what keeps them. */
import { uniformInt, type Stream, type Streams } from '../kernel/random.js';
import type { Lane } from './channel.js';

/** `[least, most]` in whole microseconds. */
export type DurationUs = readonly [number, number];

export class Link {
  /** Cuts that are in force; bytes that would arrive meanwhile wait for the last one to heal. */
  cuts = 0;
  /** Holds that are in force; bytes sent meanwhile wait. */
  holds = 0;
  /** A latency in place of the usual one. */
  slow: DurationUs | null = null;
  /** Lanes with parked messages, in the order in which they were parked. */
  readonly parked = new Set<Lane>();
  private stream: Stream | null = null;
  private lossStream: Stream | null = null;

  constructor(
    private readonly streams: Streams,
    readonly from: string,
    readonly to: string,
    private readonly usual: DurationUs,
    private readonly loss: number,
    private readonly retransmitUs: number,
  ) {}

  latencyUs(): number {
    const [least, most] = this.slow ?? this.usual;
    if (least === most) return least;
    return uniformInt((this.stream ??= this.streams.open(`${this.from}->${this.to}/latency`)), least, most);
  }

  /** Delay by lost segments: each is sent again after a time that doubles. At most `giveUpUs`. */
  lossUs(giveUpUs: number): number {
    if (this.loss === 0) return 0;
    const stream = (this.lossStream ??= this.streams.open(`${this.from}->${this.to}/loss`));
    let wait = this.retransmitUs;
    let total = 0;
    while (total < giveUpUs && stream() < this.loss) {
      total += wait;
      wait *= 2;
    }
    return Math.min(total, giveUpUs);
  }
}
