import { expect, it } from 'vitest';
import { holdInside, type Using } from './using.js';

/** A library that runs the routine and then releases, which may fail. */
const library =
  (released: string[], failure?: Error): Using =>
  async (routine) => {
    try {
      await routine(new AbortController().signal);
    } finally {
      released.push('released');
      await (failure === undefined ? Promise.resolve() : Promise.reject(failure));
    }
  };

it('is a grant until its release, which settles as the library’s call does', async () => {
  const released: string[] = [];
  const grant = await holdInside(library(released), {});
  expect(released).toEqual([]);
  await grant.release();
  expect(released).toEqual(['released']);
  const failing = await holdInside(library([], new Error('gone')), {});
  await expect(failing.release()).rejects.toThrow('gone');
});

it('ends the routine with the error of the work, and says what the library’s caller hears', async () => {
  const failure = new Error('the work failed');
  const grant = await holdInside(library([]), {});
  await expect(grant.fail!(failure)).rejects.toBe(failure);
  const hidden = await holdInside(library([], new Error('gone')), {});
  await expect(hidden.fail!(failure)).rejects.toThrow('gone');
});

it('rejects with what the library rejects with before it runs the routine', async () => {
  await expect(holdInside(() => Promise.reject(new Error('taken')), {})).rejects.toThrow('taken');
});
