/** For a page: what stands in for Node's modules there. Import it for its effect, before any instance is made. */
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { provideBuiltins } from './builtins.js';

const ALGORITHMS = { md5, sha1, sha256, sha384, sha512 };

interface Hasher {
  update(data: Uint8Array): unknown;
  digest(): Uint8Array;
}

const text = new TextEncoder();
const bytesOf = (data: string | Uint8Array): Uint8Array =>
  typeof data === 'string' ? text.encode(data) : data;

function algorithm(name: string) {
  const key = name.toLowerCase().replace('-', '');
  if (!Object.hasOwn(ALGORITHMS, key)) throw new Error(`Digest method not supported: ${name}`);
  return ALGORITHMS[key as keyof typeof ALGORITHMS];
}

/** `update` and `digest` as Node's hashes have them: bytes, or text in hex or base64. */
function nodeLike(hasher: Hasher) {
  const hash = {
    update(data: string | Uint8Array) {
      hasher.update(bytesOf(data));
      return hash;
    },
    digest(encoding?: string): string | Uint8Array {
      const bytes = hasher.digest();
      if (encoding === undefined || encoding === 'buffer') return bytes;
      if (encoding === 'hex') return bytesToHex(bytes);
      if (encoding === 'base64') return btoa(String.fromCharCode(...bytes));
      throw new Error(`a page has no digests in ${encoding}`);
    },
  };
  return hash;
}

provideBuiltins({
  crypto: {
    createHash: (name: string) => nodeLike(algorithm(name).create()),
    createHmac: (name: string, key: string | Uint8Array) =>
      nodeLike(hmac.create(algorithm(name), bytesOf(key))),
    getHashes: () => Object.keys(ALGORITHMS),
  },
});
