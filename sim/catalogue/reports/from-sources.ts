/** What nobody reported yet: read in the sources of the lock libraries on npm, on the versions that ship it. */
import type { CatalogueEntry } from '../entry.js';
import { L01 } from './l01-no-elapsed-check.js';
import { L02 } from './l02-client-clock-scores.js';
import { L03 } from './l03-tie.js';
import { L04 } from './l04-validity-from-the-grant.js';
import { L05 } from './l05-re-sent-set.js';
import { L06 } from './l06-read-then-extend.js';
import { L07 } from './l07-refresh-that-hangs.js';
import { L08 } from './l08-renewal-after-the-release.js';

export const FROM_SOURCES: readonly CatalogueEntry[] = [L01, L02, L03, L04, L05, L06, L07, L08];
