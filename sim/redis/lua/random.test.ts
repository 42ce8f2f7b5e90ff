import { expect, test } from 'vitest';
import { ScriptRandom } from './random.js';

test('begins as on a fresh redis-server 7.0', () => {
  const random = new ScriptRandom();
  expect([random.next(), random.next()].map((r) => r.toFixed(14))).toEqual([
    '0.39646477363839',
    '0.84048536971234',
  ]);
  random.seed(42);
  const seeded = random.next();
  random.seed(42);
  expect(random.next()).toBe(seeded);
});
