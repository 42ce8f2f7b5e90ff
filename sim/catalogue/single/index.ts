import type { CatalogueEntry } from '../entry.js';

export const SINGLE: readonly CatalogueEntry[] = [];
