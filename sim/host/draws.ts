/** The random streams of one process, opened when first drawn from. */
import type { Stream, Streams } from '../kernel/random.js';

export class Draws {
  /** While the module loads it draws from streams of its own, so that a reused instance draws as a fresh one. */
  loading = false;
  private crypto: Stream | null = null;
  private math: Stream | null = null;
  private cryptoAtLoad: Stream | null = null;
  private mathAtLoad: Stream | null = null;

  constructor(
    private readonly streams: Streams,
    private readonly host: string,
  ) {}

  /** For `Math.random`: [0, 1). */
  unit(): number {
    if (this.loading) return (this.mathAtLoad ??= this.streams.open(this.host, 'load/math')).next();
    return (this.math ??= this.streams.open(this.host, 'math')).next();
  }

  /** For `crypto`: an unsigned 32-bit integer. */
  uint32(): number {
    if (this.loading) return (this.cryptoAtLoad ??= this.streams.open(this.host, 'load/crypto')).uint32();
    return (this.crypto ??= this.streams.open(this.host, 'crypto')).uint32();
  }
}
