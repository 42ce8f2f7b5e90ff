declare module 'node-redis-warlock' {
  /** The part of node-redis-warlock@1 that its adapter uses; the client is a callback client such as ioredis. */
  function Warlock(client: unknown): Warlock;

  interface Warlock {
    /** `unlock` is false where others have the lock. */
    lock(
      key: string,
      ttlMs: number,
      done: (error: Error | null, unlock: Warlock.Unlock | false, id: string) => void,
    ): string;
    optimistic(
      key: string,
      ttlMs: number,
      maxAttempts: number,
      waitMs: number,
      done: (error: Error | null, unlock?: Warlock.Unlock) => void,
    ): void;
    /** Answers 'OK', or 0 when the lock is not this id's any more. */
    touch(key: string, id: string, ttlMs: number): Promise<'OK' | 0>;
  }

  namespace Warlock {
    type Unlock = (done: (error: Error | null, deleted?: number) => void) => Promise<void>;
  }

  export default Warlock;
}
