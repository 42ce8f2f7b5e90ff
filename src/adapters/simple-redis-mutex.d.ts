declare module 'simple-redis-mutex' {
  /** The part of simple-redis-mutex@3 that its adapter uses; the client is one of node-redis 5, whose types its own want. */
  export interface ReleaseFunc {
    (): Promise<void>;
    readonly fencingToken: number;
    refreshTimeout(): Promise<void>;
  }

  export function lock(
    client: unknown,
    name: string,
    options?: { timeout?: number; pollingInterval?: number; failAfter?: number },
  ): Promise<ReleaseFunc>;

  export function tryLock(
    client: unknown,
    name: string,
    options?: { timeout?: number },
  ): Promise<[boolean, ReleaseFunc]>;
}
