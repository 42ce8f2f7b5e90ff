/** The committed table of ioredis-mock's differences is what the suite finds. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import '../lua/fengari.js';
import { mockTable, TABLE_FILE, TABLE_REDIS } from './mock-table.js';
import { installedRedis } from './real-redis.js';
import { missing, RealSubject } from './real-subject.js';

const lacking =
  missing() ?? (installedRedis() === TABLE_REDIS ? undefined : `redis-server is not ${TABLE_REDIS}`);

describe.skipIf(lacking !== undefined)(
  `ioredis-mock beside redis-server${lacking ? ` (${lacking})` : ''}`,
  () => {
    let real: RealSubject;
    beforeAll(async () => {
      real = await RealSubject.start();
    });
    afterAll(() => real?.stop());

    test(`differs as ${TABLE_FILE} says`, async () => {
      const file = new URL(`../../../${TABLE_FILE}`, import.meta.url);
      expect(await mockTable(real)).toBe(readFileSync(file, 'utf8'));
    });
  },
);
