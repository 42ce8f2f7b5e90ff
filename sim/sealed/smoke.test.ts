import { expect, it } from 'vitest';
import path from 'node:path';
import { LOCKS } from '../../src/registry.js';
import { bundleLock } from './bundle.js';
import { instantiate } from './instance.js';
import { TestProcess, inMacrotask } from './testing.js';

for (const lock of LOCKS) {
  it(`loads ${lock.name}`, async () => {
    const t0 = performance.now();
    const bundle = await bundleLock(path.resolve(lock.entry), { npm: lock.npm });
    const t1 = performance.now();
    const times: number[] = [];
    for (let i = 0; i < 5; i++) {
      const t = performance.now();
      await inMacrotask(() => {
        const t = performance.now();
        const instance = instantiate(bundle, new TestProcess());
        times.push(performance.now() - t);
        expect(instance.definition.name).toBe(lock.name);
      });
    }
    console.log(
      lock.name,
      bundle.entry,
      bundle.hash.slice(0, 8),
      bundle.source.length,
      Object.keys(bundle.roots),
      'bundle',
      (t1 - t0).toFixed(1),
      'load',
      times.map((t) => t.toFixed(2)).join(' '),
    );
  });
}
