/** Libraries that can't be told to stop asking. */
import type { Grant } from '../../contract.js';

/** What a library got after its asking had been withdrawn goes back. Rejects with the signal's reason then. */
export async function unlessWithdrawn(signal: AbortSignal | undefined, grant: Grant): Promise<Grant> {
  if (signal?.aborted !== true) return grant;
  await grant.release().catch(() => {});
  throw signal.reason;
}
