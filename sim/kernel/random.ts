/**
 * Named random streams from one seed. A stream is keyed by who draws and what for, and each draw by its ordinal, so that
 * one more draw in one place shifts no other: shrinking a scenario keeps the meaning of what is left.
 *
 * The run's root key comes from seedrandom's Tyche-i. The streams count: the n-th draw mixes root key, name and n. A
 * run opens a dozen streams and draws once or twice from each, so a generator with a state to warm up for each stream
 * would cost more than all its draws.
 */
import tychei from 'seedrandom/lib/tychei.js';

const WORD = 0x1_0000_0000;
/** 2^32 divided by the golden ratio, odd: a Weyl sequence visits all words. */
const WEYL = 0x9e3779b9;

/** Finaliser of MurmurHash3: every bit of the input reaches every bit of the output. */
function mix(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return word ^ (word >>> 16);
}

/** Uniform draws; the n-th draw of a stream depends on the seed, the stream's name and n alone. */
export class Stream {
  private count: number;

  constructor(
    private readonly high: number,
    low: number,
  ) {
    this.count = low;
  }

  /** An unsigned 32-bit integer. */
  uint32(): number {
    this.count = (this.count + WEYL) | 0;
    return mix(mix(this.count) + this.high) >>> 0;
  }

  /** [0, 1) with 32 random bits. */
  next(): number {
    return this.uint32() / WORD;
  }
}

/** A stream's name, hashed. */
export interface StreamName {
  readonly high: number;
  readonly low: number;
}

/** Two independent 32-bit hashes of each name, computed once: owner -> purpose -> hashes. */
const nameHashes = new Map<string, Map<string, StreamName>>();

/** The name of the streams that `owner` opens for `purpose`. */
export function streamName(owner: string, purpose: string): StreamName {
  let purposes = nameHashes.get(owner);
  if (purposes === undefined) nameHashes.set(owner, (purposes = new Map()));
  let known = purposes.get(purpose);
  if (known === undefined) {
    const name = `${owner}/${purpose}`;
    let high = 0x811c9dc5;
    let low = 0x2545f491;
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      high = Math.imul(high ^ unit, 0x01000193);
      low = Math.imul(low ^ unit, 0x5bd1e995);
      low ^= low >>> 13;
    }
    known = { high: high | 0, low: low | 0 };
    purposes.set(purpose, known);
  }
  return known;
}

export class Streams {
  private readonly rootHigh: number;
  private readonly rootLow: number;

  /** @param seed a safe integer ≥ 0 */
  constructor(seed: number) {
    const root = tychei(seed);
    this.rootHigh = root.int32();
    this.rootLow = root.int32();
  }

  /** A new stream at its beginning; the caller keeps it. */
  open(owner: string, purpose: string): Stream {
    return this.openNamed(streamName(owner, purpose));
  }

  /** The same for a name that is kept from run to run. */
  openNamed({ high, low }: StreamName): Stream {
    return new Stream(mix(high ^ this.rootHigh), mix(mix(low ^ this.rootLow) + high));
  }
}

/** A whole number from `least` to `most`, both included. Draws nothing where there is no choice. */
export function uniformInt(stream: Stream, least: number, most: number): number {
  return least === most ? least : least + Math.floor(stream.next() * (most - least + 1));
}
