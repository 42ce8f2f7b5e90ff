/**
 * The two clocks of a host as functions of true time. Both advance by `dt + floor(dt × ppm / 1e6)` from an anchor;
 * whole microseconds throughout. The wall clock may step, the monotonic clock never does.
 */

/** What every wall clock without an offset shows at true time 0: 2026-01-01T00:00:00Z, in microseconds. */
// oxlint-disable-next-line no-restricted-globals -- computes a constant, reads no clock
export const EPOCH_US = Date.UTC(2026, 0, 1) * 1000;

const MILLION = 1_000_000;

export class Clocks {
  private anchorUs = 0;
  private anchorWallUs: number;
  private anchorMonoUs = 0;

  /** @param ppm rate of both clocks against true time */
  constructor(
    offsetUs: number,
    public ppm: number,
  ) {
    this.anchorWallUs = EPOCH_US + offsetUs;
  }

  wallUs(trueUs: number): number {
    return this.anchorWallUs + this.elapsed(trueUs);
  }

  monoUs(trueUs: number): number {
    return this.anchorMonoUs + this.elapsed(trueUs);
  }

  /** The first true time, not before `fromUs`, at which the wall clock shows at least `wallUs`. */
  whenWall(wallUs: number, fromUs: number): number {
    return Math.max(fromUs, this.anchorUs + this.stretch(wallUs - this.anchorWallUs));
  }

  /** The first true time, not before `fromUs`, at which the monotonic clock shows at least `monoUs`. */
  whenMono(monoUs: number, fromUs: number): number {
    return Math.max(fromUs, this.anchorUs + this.stretch(monoUs - this.anchorMonoUs));
  }

  stepWall(byUs: number): void {
    this.anchorWallUs += byUs;
  }

  setRate(ppm: number, trueUs: number): void {
    this.anchorWallUs = this.wallUs(trueUs);
    this.anchorMonoUs = this.monoUs(trueUs);
    this.anchorUs = trueUs;
    this.ppm = ppm;
  }

  private elapsed(trueUs: number): number {
    const dt = trueUs - this.anchorUs;
    return this.ppm === 0 ? dt : dt + Math.floor((dt * this.ppm) / MILLION);
  }

  /** Inverse of {@link elapsed}: the least dt with elapsed(dt) ≥ local. */
  private stretch(local: number): number {
    if (this.ppm === 0) return local;
    let dt = Math.floor((local * MILLION) / (MILLION + this.ppm)) - 1;
    while (dt + Math.floor((dt * this.ppm) / MILLION) < local) dt++;
    return dt;
  }
}
