import type { CatalogueEntry } from '../entry.js';
import { E6S } from './e6s-watchdog-gives-up.js';
import { R8S } from './r8s-failover-of-a-voter.js';
import { S17S } from './s17s-failover.js';
import { S25S } from './s25s-fast-replica.js';

/** Rows with a failover, played by real Sentinels. */
export const SENTINEL: readonly CatalogueEntry[] = [S17S, S25S, E6S, R8S];
