declare module 'ioredis-lock' {
  /** The part of ioredis-lock@4 that its adapter uses; the client is one of ioredis. */
  export function createLock(
    client: unknown,
    config: { readonly timeout: number; readonly retries?: number; readonly delay?: number },
  ): {
    acquire(key: string): PromiseLike<unknown>;
    extend(timeMs: number): PromiseLike<unknown>;
    release(): PromiseLike<unknown>;
  };
}
