declare module 'redlock' {
  /** The part of redlock@4 that its adapter uses; clients are callback clients such as ioredis. */
  export default class Redlock {
    constructor(
      clients: readonly unknown[],
      options?: { driftFactor?: number; retryCount?: number; retryDelay?: number; retryJitter?: number },
    );
    lock(resource: string, ttl: number): PromiseLike<Redlock.Lock>;
    lockWithOptions(
      resource: string,
      ttl: number,
      options: { retryCount?: number; retryDelay?: number },
    ): PromiseLike<Redlock.Lock>;
  }

  namespace Redlock {
    interface Lock {
      readonly value: string;
      /** `Date.now()` from which the library takes the lock to be over; 0 once it was released. */
      readonly expiration: number;
      unlock(): PromiseLike<void>;
      extend(ttl: number): PromiseLike<Lock>;
    }
  }
}
