import type { CatalogueEntry } from '../entry.js';
import { each, expecting } from '../expectations.js';
import { REPORTED, UNHARMED } from './base.js';

/** As B05, with retries without end (-1): what is gone can't be deleted, so the release never settles. */
export const B06: CatalogueEntry = {
  scenario: {
    ...REPORTED,
    id: 'B06',
    lock: { ttlMs: 400, options: { retryCount: -1, retryJitterMs: 0 } },
    processes: { transport: 'wire', count: 1 },
    workload: { workMs: 500, steps: 0 },
    bounds: { settleMs: 5000 },
    limits: { virtualMs: 10_000 },
    expect: expecting(
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0', 'redlock@4.2.0', 'redlock'], UNHARMED),
      each(['redlock@5.0.0-beta.2', '@sesamecare-oss/redlock@1.4.0'], { settles: 'violated/library' }),
      each(['redlock'], { 'loss-signalled': 'holds' }),
    ),
  },
  title: 'A release that never ends',
  question: 'Whoever asks without end for a lock: does it release without end, too?',
  takeaway:
    'The retries of the asking were used for the release as well. Where they have no end, neither has the release of a key that is gone.',
  source: 'mike-marcacci/node-redlock #313',
  report: 'mike-marcacci/node-redlock#313',
  boundaries: [],
};
