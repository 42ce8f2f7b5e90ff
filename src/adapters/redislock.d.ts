declare module 'redislock' {
  /** The part of redislock@1 that its adapter uses; the client is one of node_redis 2 or 3. */
  export function createLock(
    client: unknown,
    config: { readonly timeout: number; readonly retries?: number; readonly delay?: number },
  ): {
    acquire(key: string): PromiseLike<unknown>;
    extend(timeMs: number): PromiseLike<unknown>;
    release(): PromiseLike<unknown>;
  };
}
