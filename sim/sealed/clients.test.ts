/** Real client packages load in a sealed process, unmodified; without simulated sockets, connecting is an escape. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleLock } from './bundle.js';
import { instantiate } from './instance.js';
import { TestProcess, inMacrotask, removeScratch, writeProgram } from './testing.js';

afterAll(removeScratch);

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const CLIENTS: Record<string, string> = {
  ioredis: `import { Redis } from 'ioredis';
    export default { name: 'x', servers: 1, connect: () => { const redis = new Redis('redis://redis-1:6379'); redis.on('error', () => {}); return redis; } };`,
  redis: `import { createClient } from 'redis';
    export default { name: 'x', servers: 1, connect: () => { const redis = createClient({ url: 'redis://redis-1:6379' }); redis.on('error', () => {}); void redis.connect().catch(() => {}); return redis; } };`,
};

describe('client packages', () => {
  for (const [name, text] of Object.entries(CLIENTS)) {
    it(`${name} loads, and its first connection is stopped with the address`, async () => {
      const directory = await writeProgram({ 'lock.ts': text });
      const bundle = await bundleLock(path.join(directory, 'lock.ts'), { from: ROOT });
      expect(bundle.source).not.toContain(ROOT.slice(0, -1));
      const process = new TestProcess();
      await inMacrotask(() => {
        const { definition } = instantiate(bundle, process);
        process.step(() => void definition.connect({ clients: [], endpoints: [], options: {} }));
        process.runUntil(() => process.escapes.length > 0, 1000);
      });
      expect(process.escapes[0]?.message).toBe(
        'the program tried to leave the simulation: net.createConnection to redis-1:6379',
      );
    });
  }
});
