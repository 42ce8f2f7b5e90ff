import type { CatalogueEntry } from '../entry.js';
import { R1 } from './r1-pause-while-replies-fly.js';
import { R2 } from './r2-pause-after-the-check.js';
import { R3 } from './r3-clock-steps.js';
import { R4, R5 } from './r4-restart-without-data.js';
import { R6 } from './r6-delayed-restart-clock.js';
import { R7 } from './r7-rate-drift.js';
import { R8 } from './r8-failover-of-a-voter.js';
import { R9 } from './r9-no-jitter.js';
import { R10 } from './r10-even-split.js';
import { R11 } from './r11-silent-server.js';
import { R12 } from './r12-overtaken-clean-up.js';
import { R13 } from './r13-eroded-quorum.js';
import { R14 } from './r14-repeated-partitions.js';

export const REDLOCK: readonly CatalogueEntry[] = [
  R1,
  R2,
  R3,
  R4,
  R5,
  R6,
  R7,
  R8,
  R9,
  R10,
  R11,
  R12,
  R13,
  R14,
];
