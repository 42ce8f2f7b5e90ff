import path from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/resolve.js';
import { Pool } from '../pool/pool.js';
import { workInWorkplace } from '../testing/work-in.js';
import { conduct } from './conduct.js';
import { planHunt } from './plan.js';

const place = workInWorkplace();

/** Excludes nobody any more once it was asked often: a mistake that only instances show that are kept from run to run. */
function wearsOut(): string {
  const contract = path.join(packageRoot(), 'src', 'contract.ts');
  place.write(
    'wears-out.mjs',
    `import { defineLock } from ${JSON.stringify(contract)};
     let asked = 0;
     export default defineLock({ name: 'wears-out', servers: 1, connect: ({ clients: [redis] }) => ({
       async acquire(resource, { ttlMs }) {
         const value = 'mine';
         const only = asked++ > 12 ? [] : ['NX'];
         if ((await redis.set(resource, value, 'PX', ttlMs, ...only)) === null) throw new Error('held');
         return { release: async () => void (await redis.del(resource)) };
       } }) });`,
  );
  return path.join(place.directory, 'wears-out.mjs');
}

it('a hunt that is interrupted keeps what it has, and does not start over with fresh instances', async () => {
  const lock = wearsOut();
  const options = {
    lock,
    assume: 'calm',
    runs: 60,
    set: [],
    failOn: ['library'],
    jobs: 1,
    reuse: true,
  } as const;
  const plan = await planHunt({ ...options, out: path.dirname(lock) }, false);
  const pool = new Pool({ jobs: 1, locks: [plan.lock] });
  let heard = false;
  const hunted = await conduct(plan, pool, { interrupted: () => heard, heard: () => void (heard = true) });
  expect(hunted.gone.length).toBeGreaterThan(0);
  expect(hunted).toMatchObject({ interrupted: true, spec: { reuse: true }, range: { from: 0 } });
});
