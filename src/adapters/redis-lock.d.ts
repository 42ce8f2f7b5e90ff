declare module 'redis-lock' {
  /** redis-lock@1; the client is one of node-redis 4. */
  export default function redisLock(
    client: unknown,
    retryDelayMs?: number,
  ): (name: string, timeoutMs?: number) => Promise<() => Promise<unknown>>;
}
