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

/**
 * Whether two samples may have one mean: their means differ by at most `tolerance` of the second's, or by at most three
 * standard errors, beyond which samples of these sizes cannot tell. The spread is taken from both together, since a
 * handful of runs without a hit knows nothing of its own.
 */
export function meansAgree(x: Sample, y: Sample, tolerance: number): boolean {
  const size = x.size + y.size;
  const variance = (x.squares + y.squares) / size - ((x.sum + y.sum) / size) ** 2;
  const standardError = Math.sqrt(Math.max(0, variance) * (1 / x.size + 1 / y.size));
  return Math.abs(mean(x) - mean(y)) <= Math.max(tolerance * mean(y), 3 * standardError);
}
