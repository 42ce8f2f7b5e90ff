/**
 * Named random streams from one seed. A stream is keyed by who draws and what for, so that one more draw in one place
 * shifts no other: shrinking a scenario keeps the meaning of what is left.
 */
import tychei from 'seedrandom/lib/tychei.js';

/** Uniform draws; the n-th draw of a stream depends on the seed, the stream's name and n alone. */
export interface Stream {
  /** [0, 1) with 32 random bits. */
  (): number;
  /** A signed 32-bit integer. */
  int32(): number;
}

const WORD = 0x1_0000_0000;

/** Two independent 32-bit hashes of a name, computed once per name. */
const nameHashes = new Map<string, readonly [number, number]>();

function hashName(name: string): readonly [number, number] {
  let known = nameHashes.get(name);
  if (known === undefined) {
    let high = 0x811c9dc5;
    let low = 0x2545f491;
    for (let i = 0; i < name.length; i++) {
      const unit = name.charCodeAt(i);
      high = Math.imul(high ^ unit, 0x01000193);
      low = Math.imul(low ^ unit, 0x5bd1e995);
      low ^= low >>> 13;
    }
    known = [high >>> 0, low >>> 0];
    nameHashes.set(name, known);
  }
  return known;
}

/** Finaliser of MurmurHash3: every bit of the input reaches every bit of the output. */
function mix(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}

export class Streams {
  private readonly seedHigh: number;
  private readonly seedLow: number;

  /** @param seed a safe integer ≥ 0 */
  constructor(readonly seed: number) {
    this.seedLow = mix((seed % WORD) >>> 0);
    this.seedHigh = mix((Math.floor(seed / WORD) ^ this.seedLow) >>> 0);
  }

  /** A new stream at its beginning; the caller keeps it. */
  open(name: string): Stream {
    const [high, low] = hashName(name);
    const top = mix(high ^ this.seedHigh) & 0x1f_ffff;
    return tychei(top * WORD + mix(low ^ this.seedLow));
  }
}

/** A whole number from `least` to `most`, both included. Draws nothing where there is no choice. */
export function uniformInt(stream: Stream, least: number, most: number): number {
  return least === most ? least : least + Math.floor(stream() * (most - least + 1));
}
