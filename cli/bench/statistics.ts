export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** A sample by its size, sum and sum of squares. For a share, hits are both sums. */
export interface Sample {
  readonly size: number;
  readonly sum: number;
  readonly squares: number;
}

export function mean({ size, sum }: Sample): number {
  return sum / size;
}

/** Square of the mean's standard error. */
function errorSquared(sample: Sample): number {
  const variance = sample.squares / sample.size - mean(sample) ** 2;
  return Math.max(0, variance) / sample.size;
}

/**
 * Whether two means may be one: their difference is within `tolerance` of the second, or within three standard
 * errors, beyond which samples of these sizes cannot tell.
 */
export function meansAgree(x: Sample, y: Sample, tolerance: number): boolean {
  const allowance = 3 * Math.sqrt(errorSquared(x) + errorSquared(y));
  return Math.abs(mean(x) - mean(y)) <= Math.max(tolerance * mean(y), allowance);
}
