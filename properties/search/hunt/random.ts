/** The random numbers of one run of a hunt: from the hunt's seed and the run's index alone. */
import * as fc from 'fast-check';
import { Streams, type Stream, type StreamName } from '../../../sim/kernel/random.js';

/** A generator as fast-check takes it, over a stream of lockpick's own. */
class Draws {
  private readonly stream: Stream;

  constructor(
    private readonly streams: Streams,
    private readonly run: StreamName,
    private drawn = 0,
  ) {
    this.stream = streams.openNamed(run);
    for (let skipped = 0; skipped < drawn; skipped++) this.stream.uint32();
  }

  clone(): Draws {
    return new Draws(this.streams, this.run, this.drawn);
  }

  /** A signed 32-bit integer. */
  next(): number {
    this.drawn++;
    return this.stream.uint32() | 0;
  }

  getState(): readonly number[] {
    return [this.run.high, this.run.low, this.drawn];
  }
}

/** Two odd multipliers: runs next to each other have nothing in common. */
const HIGH = 0x9e3779b1;
const LOW = 0x85ebca77;

export class RunRandom {
  private readonly streams: Streams;

  constructor(seed: number) {
    this.streams = new Streams(seed);
  }

  of(run: number): fc.Random {
    const name = { high: Math.imul(run + 1, HIGH), low: Math.imul(run + 1, LOW) };
    return new fc.Random(new Draws(this.streams, name));
  }
}
