/** Libraries that hold a lock for as long as a routine runs: a grant is a routine that waits for its release. */
import type { AcquireOptions, Grant } from '../../contract.js';
import { unlessWithdrawn } from './withdrawal.js';

/** Takes the lock, runs the routine with the signal by which the library tells of a loss, and gives the lock back. */
export type Using = (routine: (lost: AbortSignal) => Promise<void>) => Promise<void>;

/** Rejects with what `using` rejects with before its routine runs; what it rejects with afterwards is the release's. */
export async function holdInside(using: Using, { signal }: Pick<AcquireOptions, 'signal'>): Promise<Grant> {
  signal?.throwIfAborted();
  let end = (): void => {};
  let endWith = (_error: Error): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = resolve;
    endWith = reject;
  });
  let whole = ended;
  const lost = await new Promise<AbortSignal>((resolve, reject) => {
    whole = using((loss) => {
      resolve(loss);
      return ended;
    });
    whole.catch(reject);
  });
  const release = (): Promise<void> => {
    end();
    return whole;
  };
  return unlessWithdrawn(signal, {
    lost,
    release,
    fail(error) {
      endWith(error);
      return whole;
    },
  });
}
