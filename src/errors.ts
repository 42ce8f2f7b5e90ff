/** An error of the reference locks besides `NotAcquired` and `LockLost`: contention, loss and outage differ. */

/**
 * Too few servers answered, or they answered too late, to decide anything: nobody else need be holding the lock.
 * `errors` are what the clients reported, in the order of the servers that reported any.
 */
export class QuorumUnreachable extends Error {
  override readonly name = 'QuorumUnreachable';

  constructor(
    message: string,
    readonly errors: readonly unknown[] = [],
  ) {
    super(message, errors.length > 0 ? { cause: errors[0] } : undefined);
  }
}
