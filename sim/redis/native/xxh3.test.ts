import { expect, test } from 'vitest';
import { xxh3Hex } from './xxh3.js';

/** Hashes by xxHash 0.8.1's own library of so many bytes `(7 i + 13) mod 251`; one length for each of its ways. */
test.each([
  [0, '2d06800538d394c2'],
  [1, '8a21d78b1538b1c0'],
  [3, 'b7e23e9c1ad24e4b'],
  [5, '925f8436a63bec5a'],
  [8, '8e9d87b2621686c2'],
  [9, 'd78b2e5e6eee1a29'],
  [16, '2255ac040382fb28'],
  [17, '80297144ea363493'],
  [128, '4cfcc6eff3270579'],
  [129, 'f931d64d80256742'],
  [240, '9fe62f1f36ec688b'],
  [241, 'c14583623d7bbd8a'],
  [1025, 'dc43903f189399b4'],
  [5000, '9518e47bea00d69b'],
])('of %i bytes', (length, hash) => {
  const text = Array.from({ length }, (_, i) => String.fromCharCode((i * 7 + 13) % 251)).join('');
  expect(xxh3Hex(text)).toBe(hash);
});
