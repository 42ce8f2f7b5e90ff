import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { builtin } from './builtins.js';
import './page-builtins.js';

type Hash = { update(data: string | Uint8Array): Hash; digest(encoding?: string): string | Uint8Array };
const page = builtin('crypto') as {
  createHash(name: string): Hash;
  createHmac(name: string, key: string): Hash;
};

it('hashes in a page are Node’s', () => {
  for (const name of ['md5', 'sha1', 'sha256', 'SHA-512', 'sha384']) {
    for (const encoding of ['hex', 'base64'] as const) {
      const plain = page
        .createHash(name)
        .update('ab')
        .update(new Uint8Array([99, 255]))
        .digest(encoding);
      expect(plain).toBe(
        createHash(name)
          .update('ab')
          .update(new Uint8Array([99, 255]))
          .digest(encoding),
      );
      const keyed = page.createHmac(name, 'key').update('abc').digest(encoding);
      expect(keyed).toBe(createHmac(name, 'key').update('abc').digest(encoding));
    }
  }
  expect(page.createHash('sha1').update('abc').digest()).toEqual(
    new Uint8Array(createHash('sha1').update('abc').digest()),
  );
  expect(() => page.createHash('whirlpool')).toThrow('not supported');
});
