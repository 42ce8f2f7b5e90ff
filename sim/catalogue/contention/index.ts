import type { CatalogueEntry } from '../entry.js';
import { C1, C3, C5 } from './contention.js';
import { M1 } from './m1-circular-wait.js';
import { Q1 } from './q1-client-clock-scores.js';

export const CONTENTION: readonly CatalogueEntry[] = [C1, C3, C5, M1, Q1];
