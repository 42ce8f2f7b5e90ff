import { eagerRival } from '../rival.js';
import type { CatalogueEntry } from '../entry.js';
import { FENCED, pauseAfterTheReadFlipsAt, SINGLE_SERVER } from './f1-fenced-storage.js';

/**
 * p2 reads at 1005 and writes 400 ms later. p1's pause ends at 1109; its write arrives at 1113.5 with token 1, and the highest
 * accepted token is still none: accepted. p2 then writes what it computed from what it read before: p1's write is lost, yet
 * no write of an older hold follows one of a newer.
 */
export const F6: CatalogueEntry = {
  scenario: {
    ...SINGLE_SERVER,
    id: 'F6',
    overrides: { p2: eagerRival(900, { workMs: 400 }) },
    faults: [{ on: { event: 'used', process: 'p1' }, do: 'pause', forMs: 1100 }],
    expect: { 'single-fenced': FENCED, 'redlock-fenced': FENCED },
  },
  title: 'A stale write before the first newer write',
  question: 'Does a storage that compares tokens on writes stop every stale write?',
  takeaway:
    'No: until the new holder has written, the storage has not seen its token. A stale write slips in between the new holder’s read and its write and is then overwritten: a lost update.',
  source: 'Derived; compare Kleppmann 2016, "How to do distributed locking"',
  boundaries: [
    {
      lock: 'single-fenced',
      property: 'exclusive-use',
      path: 'faults.0.forMs',
      closedForm: 'P > T − (δr + s + δw)',
      flipsAt: pauseAfterTheReadFlipsAt,
      verdict: 'violated/lease',
    },
  ],
};
