import type { CatalogueEntry } from '../entry.js';
import { C1, C3, C5 } from './contention.js';

export const CONTENTION: readonly CatalogueEntry[] = [C1, C3, C5];
