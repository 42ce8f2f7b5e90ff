import type { CatalogueEntry } from '../entry.js';
import { CONNECTED_MS, ON_THE_WIRE } from './wire.js';

/**
 * p1's worker is given the job at 146, and at 246 its event loop blocks for 5 s: no renewal leaves it. The lock of the job runs out at 1142. p2's worker
 * looks for stalled jobs: at 1300 it notes this one, at 2300 the note that somebody has just looked is still there, at 3300 it puts the job back and is
 * given it. When p1 comes back, at 5246, it writes among p2's accesses before it is told. Its completion is refused, for the lock is p2's: what
 * ends the section is fenced, what the section did meanwhile is not.
 */
export const B28: CatalogueEntry = {
  scenario: {
    ...ON_THE_WIRE,
    id: 'B28',
    lock: { name: 'bullmq@5.81.5', ttlMs: 1000, options: { retryCount: 40, retryDelayMs: 200 } },
    processes: { ...ON_THE_WIRE.processes, client: { maxRetriesPerRequest: null } },
    workload: { startMs: CONNECTED_MS, workMs: 600 },
    overrides: { p2: { network: { latencyMs: 0 }, workload: { startMs: 300, workMs: 2000 } } },
    faults: [{ on: { event: 'granted', process: 'p1', afterMs: 100 }, do: 'pause', forMs: 5000 }],
    bounds: { progressMs: 10_000 },
    expect: {
      'bullmq@5.81.5': {
        observe: { p1: { granted: 1, releaseError: 'Error' }, p2: { granted: 1, releaseError: null } },
        'mutual-exclusion': 'violated/lease',
        'exclusive-use': 'violated/lease',
        'own-key-only': 'holds',
        'quorum-backed': 'holds',
        'honest-validity': 'holds',
        quiet: 'holds',
      },
    },
  },
  title: 'A blocked handler, and its job run again',
  question: 'A job’s handler blocks its event loop for longer than the lock of the job. Who works on it?',
  takeaway:
    'Two workers: the lock cannot be renewed by a loop that is blocked, and the job counts as stalled. BullMQ fences the completion of a job; effects of the handler need a fence of their own.',
  source: 'public report',
  report: 'taskforcesh/bullmq#3183',
  boundaries: [],
};
