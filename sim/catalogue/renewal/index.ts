import type { CatalogueEntry } from '../entry.js';

export const RENEWAL: readonly CatalogueEntry[] = [];
