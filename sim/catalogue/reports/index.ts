/** What was reported of the lock libraries on npm, on the versions that shipped it. */
import type { CatalogueEntry } from '../entry.js';
import { B01 } from './b01-waiter-told-of-a-loss.js';
import { B02 } from './b02-granted-in-the-past.js';
import { B03 } from './b03-no-end-means-no-retry.js';
import { B05 } from './b05-slow-release.js';
import { B06 } from './b06-endless-release.js';
import { B07 } from './b07-error-hidden-by-the-release.js';
import { B09, B09_TWO_HOLDERS } from './b09-callbacks-called-twice.js';
import { B10 } from './b10-waits-for-all-servers.js';
import { B11 } from './b11-no-validity-check.js';
import { B14 } from './b14-refresh-errors-unheard.js';
import { B15 } from './b15-suspended-holder.js';
import { B17 } from './b17-late-token.js';
import { B21 } from './b21-blocked-past-expiry.js';
import { B22 } from './b22-one-host-down.js';
import { B24 } from './b24-promotion-forgets.js';
import { B25 } from './b25-zero-taken-for-nothing.js';
import { B28 } from './b28-run-again.js';
import { B34 } from './b34-one-error-for-all.js';
import { B35 } from './b35-crash-while-holding.js';

export const REPORTS: readonly CatalogueEntry[] = [
  B01,
  B02,
  B03,
  B05,
  B06,
  B07,
  B09,
  B09_TWO_HOLDERS,
  B10,
  B11,
  B14,
  B15,
  B17,
  B21,
  B22,
  B24,
  B25,
  B28,
  B34,
  B35,
];
