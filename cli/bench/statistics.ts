export function median(values: readonly number[]): number {
  const sorted = [...values].sort((x, y) => x - y);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/**
 * Whether two observed shares may be one: their difference is within `tolerance` of the second, or within three
 * standard errors, beyond which a sample of this size cannot tell.
 */
export function sharesAgree(
  [hitsX, sizeX]: readonly [number, number],
  [hitsY, sizeY]: readonly [number, number],
  tolerance: number,
): boolean {
  const x = hitsX / sizeX;
  const y = hitsY / sizeY;
  const pooled = (hitsX + hitsY) / (sizeX + sizeY);
  const standardError = Math.sqrt(pooled * (1 - pooled) * (1 / sizeX + 1 / sizeY));
  return Math.abs(x - y) <= Math.max(tolerance * y, 3 * standardError);
}
