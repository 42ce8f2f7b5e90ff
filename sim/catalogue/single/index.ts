import type { CatalogueEntry } from '../entry.js';
import { S1 } from './s1-pause-before-the-write.js';
import { S2 } from './s2-pause-after-the-check.js';
import { S3 } from './s3-delayed-write.js';
import { S4 } from './s4-validity-from-the-reply.js';
import { S5 } from './s5-no-ttl.js';
import { S6 } from './s6-setnx-then-expire.js';
import { S7 } from './s7-timestamp-lock.js';
import { S8 } from './s8-delete-without-check.js';
import { S9 } from './s9-get-then-delete.js';
import { S10 } from './s10-constant-value.js';
import { S11 } from './s11-reply-lost.js';
import { S12 } from './s12-late-set.js';
import { S13 } from './s13-server-clock-forward.js';
import { S14 } from './s14-server-clock-back.js';
import { S15 } from './s15-client-clock-back.js';
import { S16 } from './s16-rate-mismatch.js';
import { S17 } from './s17-failover.js';
import { S18 } from './s18-isolated-master.js';
import { S19 } from './s19-minority-master.js';
import { S20 } from './s20-wait.js';
import { S21 } from './s21-restart-without-data.js';
import { S22 } from './s22-power-loss.js';
import { S23 } from './s23-clean-restart.js';
import { S24, S24N } from './s24-eviction.js';
import { S25 } from './s25-fast-replica.js';
import { S26 } from './s26-read-from-a-replica.js';

/** Failures of a lock on one server. */
export const SINGLE: readonly CatalogueEntry[] = [
  S1,
  S2,
  S3,
  S4,
  S5,
  S6,
  S7,
  S8,
  S9,
  S10,
  S11,
  S12,
  S13,
  S14,
  S15,
  S16,
  S17,
  S18,
  S19,
  S20,
  S21,
  S22,
  S23,
  S24,
  S24N,
  S25,
  S26,
];
