import type { BallotBox } from './ballot-box.js';
import type { QuorumLock } from './lock.js';
import { poll, type Wording } from './poll.js';

const RELEASE: Wording = {
  moment: 'it was released',
  subject: 'release',
  consequence: '; what is left goes at the end of its life',
};

/**
 * Gives a lock up on every server. Resolves once a quorum confirms that it had been ours until then; rejects as
 * {@link poll} does (keys that are left go at the end of their life).
 */
export function release(lock: QuorumLock, box: BallotBox, ttlMs: number): Promise<void> {
  return poll(lock, box.key, ttlMs, RELEASE, (answered) => box.unlockAll(answered));
}
