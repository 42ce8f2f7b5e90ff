/** Round numbers along an axis. */

/** At most `count` values in [from, to], all multiples of 1, 2 or 5 times a power of ten. */
export function ticks(from: number, to: number, count: number): number[] {
  const span = to - from;
  if (!(span > 0) || count < 1) return [from];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((multiple) => multiple * power >= rough) ?? 10) * power;
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const found: number[] = [];
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-9; index++)
    found.push(Number((index * step).toFixed(decimals)));
  return found;
}
