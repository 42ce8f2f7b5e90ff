/** Figures and names as reasons word them. */
export function ms(us: number): string {
  if (us === Infinity) return 'never';
  const value = us / 1000;
  return `${Number(value.toFixed(3))} ms`;
}

/** `redis-2`, from a server's index. */
export function serverName(index: number): string {
  return `redis-${index + 1}`;
}

/** Event indexes, ascending, each once; nothing for events that are not there. */
export function evidence(...indexes: readonly (number | null | undefined)[]): number[] {
  const present = indexes.filter((index): index is number => typeof index === 'number' && index >= 0);
  return [...new Set(present)].sort((a, b) => a - b);
}
