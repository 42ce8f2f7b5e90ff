import { each, expecting, REFERENCE_LOCKS } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { ONE_SERVER } from '../single/base.js';

/** How long an asker may be kept waiting. */
const PATIENCE_MS = 2000;

/**
 * p1 has the lock from 9 on and asks for it again inside its own section, at 47. The lock is not reentrant, its watchdog renews the outer
 * hold for as long as the inner asking lasts, and that would be for ever: it is withdrawn at 5047.
 */
export const E9: CatalogueEntry = {
  scenario: {
    ...ONE_SERVER,
    id: 'E9',
    lock: {
      ttlMs: 1000,
      options: { watchdog: true, retryCount: 1_000_000, retryDelayMs: 20, retryJitterMs: 0 },
    },
    processes: { count: 1 },
    workload: { order: ['a', 'a'], nested: true, workMs: 20, withdrawAfterMs: 5000 },
    bounds: { ...ONE_SERVER.bounds, progressMs: PATIENCE_MS },
    expect: expecting(
      each(REFERENCE_LOCKS, { 'own-key-only': 'holds', quiet: 'holds', progress: 'violated/usage' }),
    ),
  },
  title: 'A lock inside itself, renewed',
  question: 'A section that holds the lock calls another that takes it. Who lets go first?',
  takeaway:
    'Nobody: the program waits for itself, and renewal keeps it from ever ending. Without renewal it ends after a ttl, with a lease lost. Bound every asking.',
  source: 'derived',
  boundaries: [
    {
      lock: 'single',
      property: 'progress',
      path: 'workload.withdrawAfterMs',
      closedForm: 'patience of the asker > bound',
      flipsAt: () => PATIENCE_MS,
      verdict: 'violated/usage',
    },
  ],
};
