/** The servers of a scenario: how many, of which kind, and what watches over them. */
import * as z from 'zod';
import { EVICTION_POLICIES } from '../redis/keyspace.js';
import { count, duration, ms } from './schema-parts.js';

export const serverSchema = z.strictObject({
  count: z.int().min(1).max(99).default(1),
  engine: z.enum(['native', 'ioredis-mock']).default('native'),
  version: z
    .string()
    .regex(/^(valkey-)?\d+\.\d+$/, { message: 'a version is written 7.0 or valkey-9.0' })
    .default('7.0'),
  /** `rdb` saves at its save points and at an orderly shutdown; the append-only file is synced as `appendfsync` says. */
  persistence: z.enum(['none', 'rdb', 'aof-always', 'aof-everysec', 'aof-no']).default('none'),
  /** Save points of `rdb`: after so many seconds if so many keys have changed. */
  savePoints: z.array(z.strictObject({ afterS: z.int().min(1), changes: z.int().min(1) })).default([
    { afterS: 3600, changes: 1 },
    { afterS: 300, changes: 100 },
    { afterS: 60, changes: 10_000 },
  ]),
  /** How long a server with persistence takes to load its data at a restart; it answers LOADING meanwhile. */
  loadMs: ms.default(0),
  /** After a restart the server refuses to work for this long by its own wall clock: the delayed restart of Redlock. */
  delayedRestartMs: ms.default(0),
  replicas: z.int().min(0).max(5).default(0),
  /** Writes are refused with fewer replicas whose last acknowledgement is at most so old. 0 replicas: never refused. */
  minReplicasToWrite: count.default(0),
  minReplicasMaxLagS: count.default(10),
  /** Bytes, by the engine's own reckoning; 0: no limit. */
  maxMemory: count.default(0),
  maxMemoryPolicy: z.enum(EVICTION_POLICIES).default('noeviction'),
  /** Sentinels that watch every server; clients then ask them for the master. */
  sentinels: z
    .strictObject({
      count: z.int().min(1).max(9).default(3),
      quorum: z.int().min(1).default(2),
      downAfterMs: ms.gt(0).default(30_000),
      failoverTimeoutMs: ms.gt(0).default(180_000),
    })
    .optional(),
  /** The servers are the masters of one Redis Cluster, to which a lock talks as to one server. */
  cluster: z
    .strictObject({
      nodeTimeoutMs: ms.gt(0).default(15_000),
      replicaValidityFactor: count.default(10),
      requireFullCoverage: z.boolean().default(true),
    })
    .optional(),
  /** Lua texts that every server knows from the start, as one that has been in use does; lost at a restart. */
  scripts: z.array(z.string().min(1)).default([]),
  /** Latency of the links between the nodes of one server: how long a write takes from master to replica. */
  replicationMs: duration.default(1),
});
