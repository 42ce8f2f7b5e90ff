/** `drand48`'s generator, which Redis gives scripts as `math.random`: 48 bits, the same on every fresh server. */
const MULTIPLIER = 0x5deece66dn;
const INCREMENT = 0xbn;
const MASK = (1n << 48n) - 1n;
const MAX = 0x7fffffff;
/** Of a server whose scripts have not called `math.randomseed`. */
const UNSEEDED = 0x1234abcd330en;

/** One server's stream; Redis 7.0 lets it run on from script to script. */
export class ScriptRandom {
  #state = UNSEEDED;

  reset(): void {
    this.#state = UNSEEDED;
  }

  /** `math.randomseed`. */
  seed(seed: number): void {
    const bits = Number.isFinite(seed) ? BigInt.asUintN(32, BigInt(Math.trunc(seed))) : 0n;
    this.#state = (bits << 16n) | 0x330en;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state * MULTIPLIER + INCREMENT) & MASK;
    return (Number(this.#state >> 17n) % MAX) / MAX;
  }
}
