import { afterEach, expect, it, vi } from 'vitest';
import { bundleLock } from '../../sealed/bundle.js';
import { LockModuleError } from '../../sealed/errors.js';
import { bundleMock } from './load.js';

vi.mock(import('../../sealed/bundle.js'), { spy: true });
afterEach(() => {
  vi.mocked(bundleLock).mockReset();
});

it('bundles the library as it is, whatever is asked for first', async () => {
  const { source, entry } = await bundleMock('/');
  expect(entry).toBe('sim/redis/mock/program.ts');
  expect(source).toContain('node_modules/ioredis-mock/lib/index.js');
});

it('says what to install where it is missing', async () => {
  const message =
    '/x/program.ts:5:22: needs the npm package ioredis-mock@8.13.1, which is not installed: npm i -D ioredis-mock@8.13.1';
  vi.mocked(bundleLock).mockRejectedValue(new LockModuleError('missing-package', message));
  await expect(bundleMock()).rejects.toThrow(
    /^the engine ioredis-mock needs the npm package ioredis-mock@8\.13\.1, which is not installed: npm i -D ioredis-mock@8\.13\.1$/,
  );
});
