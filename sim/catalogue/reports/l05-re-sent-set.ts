import { each, expecting, KEEPS_ITS_WORD } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { keenRival, ON_THE_WIRE } from './wire.js';

/** Who is in its own way: nobody is harmed but the asker, and whoever comes after it. */
const IN_ITS_OWN_WAY = {
  ...KEEPS_ITS_WORD,
  'no-orphan': 'violated/library',
  progress: 'holds',
} as const;

/**
 * p1's SET is applied at 105.5 and the connection breaks before its reply. ioredis opens another after 50 ms and sends the SET again, which finds the
 * key, its own, and answers nil. A lock that takes nil for "somebody else has it" asks again and again until its own key is gone, at 1106, and p2
 * waits with it: a key of nobody for nearly a ttl, and no clean-up is sent. A lock that undoes each attempt that failed has removed the key
 * with the first. On the direct transport the command rejects, as it does with node-redis.
 */
export const L05: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'L05',
    lock: { name: 'redis-semaphore@5.8.0' },
    workload: { ...ON_THE_WIRE.workload, workMs: 100 },
    overrides: {
      p1: { lock: { options: { retryCount: 500, retryDelayMs: 20, retryJitterMs: 0 } } },
      p2: keenRival(300, { workMs: 100 }, 50),
    },
    faults: [{ on: { event: 'voted', process: 'p1' }, do: 'reset', from: 'p1', to: 'redis-1' }],
    expect: expecting(
      each(
        ['redis-semaphore@5.8.0', 'node-redis-warlock@1.0.2', '@microfleet/ioredis-lock@6.0.1'],
        IN_ITS_OWN_WAY,
      ),
      each(['single', 'redlock@4.2.0'], { ...IN_ITS_OWN_WAY, 'no-orphan': 'holds' }),
    ),
  },
  title: 'A SET that was sent again',
  question:
    'The connection breaks between a SET and its reply, and the client sends the command again. Who has the lock?',
  takeaway:
    'The client itself, and does not know: SET NX answers nil to its second sending. Whoever retries a command for which “nil” means “taken” must undo its failed attempts, or look whose value it is.',
  source: 'derived from the source of ioredis 5 (autoResendUnfulfilledCommands)',
  boundaries: [],
};
