import type { CatalogueEntry } from '../entry.js';
import { E1 } from './e1-refresh-late.js';
import { E4 } from './e4-expiration-from-first-attempt.js';
import { E10 } from './e10-reentrant-count.js';
import { E11 } from './e11-refresh-and-release.js';
import { E5 } from './e5-unbounded-extension.js';
import { E6 } from './e6-watchdog-gives-up.js';
import { E7 } from './e7-cut-from-redis.js';
import { E9 } from './e9-nested-with-renewal.js';

/** Failures of renewal. */
export const RENEWAL: readonly CatalogueEntry[] = [E1, E4, E5, E6, E7, E9, E10, E11];
