import { later, type BallotBox } from './ballot-box.js';
import type { QuorumLock } from './lock.js';
import { poll, type Wording } from './poll.js';
import { wholeMs } from './ttl.js';

const EXTENSION: Wording = { moment: 'it was to be extended', subject: 'extension', consequence: '' };

/**
 * Renews the keys of a lease on a quorum of servers. A key that is gone is not created again, so that nobody's place
 * is taken. Rejects as {@link poll} does.
 */
export function renewKeys(lock: QuorumLock, box: BallotBox, ttlMs: number): Promise<void> {
  return poll(lock, box.key, ttlMs, EXTENSION, (answered) => {
    const onReply = (reply: unknown): void => answered(Number(reply) === 1 ? 1 : 0, undefined);
    const onError = (error: unknown): void => answered(-1, error);
    for (const server of lock.servers) {
      try {
        lock.rules.renew(server, box, wholeMs(ttlMs), onReply, onError);
      } catch (error) {
        later(onError, error);
      }
    }
  });
}
