import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { findLock, LOCKS } from './registry.js';

it('names each lock once, and each module is there', () => {
  expect(new Set(LOCKS.map(({ name }) => name)).size).toBe(LOCKS.length);
  const root = path.join(import.meta.dirname, '..');
  for (const { entry } of LOCKS) expect(existsSync(path.join(root, entry)), entry).toBe(true);
});

it.each([...LOCKS])(
  '$name says what it is',
  async ({ name, kind, servers, semaphore, mistake, npm, entry }) => {
    const folder = { reference: 'locks', pitfall: 'pitfalls', adapter: 'adapters' }[kind];
    expect(path.dirname(entry)).toBe(`src/${folder}`);
    expect(mistake !== undefined).toBe(kind === 'pitfall');
    expect(npm !== undefined).toBe(kind === 'adapter');
    const module = (await import(path.join(import.meta.dirname, '..', entry))) as { default: object };
    expect(module.default).toMatchObject({ name, servers });
    expect('semaphore' in module.default).toBe(semaphore === true);
  },
);

it('finds a lock by its very name', () => {
  expect(findLock('redlock@4.2.0')?.npm).toEqual({ package: 'redlock', version: '4.2.0' });
  expect(findLock('redlok')).toBe(undefined);
});
