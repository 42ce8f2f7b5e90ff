/** What was reported of the lock libraries on npm, or read in their sources, on the versions that shipped it. */
import type { CatalogueEntry } from '../entry.js';
import { B01 } from './b01-waiter-told-of-a-loss.js';
import { B02 } from './b02-granted-in-the-past.js';
import { B05 } from './b05-slow-release.js';
import { B06 } from './b06-endless-release.js';
import { B10 } from './b10-waits-for-all-servers.js';
import { B11 } from './b11-no-validity-check.js';
import { B14 } from './b14-refresh-errors-unheard.js';
import { B15 } from './b15-suspended-holder.js';
import { B17 } from './b17-late-token.js';

export const REPORTS: readonly CatalogueEntry[] = [B01, B02, B05, B06, B10, B11, B14, B15, B17];
