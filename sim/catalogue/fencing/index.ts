import type { CatalogueEntry } from '../entry.js';
import { F1, F1_DELAYED, F1_QUORUM } from './f1-fenced-storage.js';
import { F2 } from './f2-lost-counter.js';
import { F3 } from './f3-separate-counter.js';
import { F6 } from './f6-stale-write-between-read-and-write.js';

export const FENCING: readonly CatalogueEntry[] = [F1, F1_DELAYED, F1_QUORUM, F2, F3, F6];
