/** What was reported of the lock libraries on npm, or read in their sources, on the versions that shipped it. */
import type { CatalogueEntry } from '../entry.js';

export const REPORTS: readonly CatalogueEntry[] = [];
