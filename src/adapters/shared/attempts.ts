/** How often a library is to ask in all, for retries after the first attempt; -1 means without end. */
export function attemptsOf(retryCount: number): number {
  return retryCount === -1 ? Infinity : retryCount + 1;
}
