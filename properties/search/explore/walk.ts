/**
 * A walk over schedules, each before those that begin with it, and the earlier of two that differ: where it began, how far it has got,
 * when it has been long enough. A schedule goes by the ordinals of its anomalies. One that can be extended is passed when it has been
 * run with each anomaly more; one that has as many as are allowed, when it has been run itself.
 */
export class Walk {
  private last: readonly number[];
  private over = false;

  /**
   * @param after everything up to this schedule was done before; empty: nothing was
   * @param enough the count of runs at which the walk is over
   */
  constructor(
    after: readonly number[],
    private readonly enough: number,
  ) {
    this.last = after;
  }

  /** The schedule that was passed last. */
  get reached(): readonly number[] {
    return this.last;
  }

  /** It was long enough: what follows is for the next one. */
  get isOver(): boolean {
    return this.over;
  }

  /** The schedule itself has not been passed yet. */
  isNew(order: readonly number[]): boolean {
    return compare(order, this.last) > 0;
  }

  /** The schedule and all that begin with it were done before. */
  isBehind(order: readonly number[]): boolean {
    return compare(order, this.last) < 0 && !order.every((ordinal, level) => ordinal === this.last[level]);
  }

  /** The schedule is passed, and so many runs have been made by now. */
  passed(order: readonly number[], runs: number): void {
    this.last = order;
    this.over = runs >= this.enough;
  }
}

/** As words are sorted: the shorter one of two that begin alike comes first. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (let level = 0; level < Math.min(a.length, b.length); level++)
    if (a[level] !== b[level]) return a[level]! - b[level]!;
  return a.length - b.length;
}
