/** The 64-bit XXH3 hash, unseeded: Redis 8.4's digest of a string. After its specification (xxhash.com). */
import type { Bytes } from '../keyspace.js';

const MASK = 2n ** 64n - 1n;
const PRIME32_1 = 0x9e3779b1n;
const PRIME32_2 = 0x85ebca77n;
const PRIME32_3 = 0xc2b2ae3dn;
const PRIME64_1 = 0x9e3779b185ebca87n;
const PRIME64_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME64_3 = 0x165667b19e3779f9n;
const PRIME64_4 = 0x85ebca77c2b2ae63n;
const PRIME64_5 = 0x27d4eb2f165667c5n;
const PRIME_MX1 = 0x165667919e3779f9n;
const PRIME_MX2 = 0x9fb21c651e98df25n;

const SECRET = bytesOf(
  (
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221' +
    'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
    'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb' +
    '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e'
  ).replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16))),
);

const STRIPE = 64;
const STRIPES_PER_BLOCK = 16;
const BLOCK = STRIPE * STRIPES_PER_BLOCK;
const SECRET_LAST = 192 - STRIPE;

function bytesOf(text: Bytes): DataView {
  const view = new DataView(new ArrayBuffer(text.length));
  for (let i = 0; i < text.length; i++) view.setUint8(i, text.charCodeAt(i));
  return view;
}

const word = (view: DataView, at: number): bigint => view.getBigUint64(at, true);
const half = (view: DataView, at: number): bigint => BigInt(view.getUint32(at, true));

function rotated(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}

/** Both halves of the product, folded into one. */
function folded(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}

function avalanche(value: bigint): bigint {
  const mixed = ((value ^ (value >> 37n)) * PRIME_MX1) & MASK;
  return mixed ^ (mixed >> 32n);
}

/** XXH64's. */
function shortAvalanche(value: bigint): bigint {
  const first = ((value ^ (value >> 33n)) * PRIME64_2) & MASK;
  const second = ((first ^ (first >> 29n)) * PRIME64_3) & MASK;
  return second ^ (second >> 32n);
}

function upTo16(input: DataView): bigint {
  const length = input.byteLength;
  const size = BigInt(length);
  if (length > 8) {
    const low = word(input, 0) ^ word(SECRET, 24) ^ word(SECRET, 32);
    const high = word(input, length - 8) ^ word(SECRET, 40) ^ word(SECRET, 48);
    return avalanche((size + swapped(low) + high + folded(low, high)) & MASK);
  }
  if (length >= 4) {
    const keyed = (half(input, length - 4) + (half(input, 0) << 32n)) ^ word(SECRET, 8) ^ word(SECRET, 16);
    const mixed = ((keyed ^ rotated(keyed, 49n) ^ rotated(keyed, 24n)) * PRIME_MX2) & MASK;
    const last = ((mixed ^ ((mixed >> 35n) + size)) * PRIME_MX2) & MASK;
    return last ^ (last >> 28n);
  }
  if (length === 0) return shortAvalanche(word(SECRET, 56) ^ word(SECRET, 64));
  const [first, middle, last] = [0, length >> 1, length - 1].map((at) => BigInt(input.getUint8(at)));
  const combined = (first! << 16n) | (middle! << 24n) | last! | (size << 8n);
  return shortAvalanche(combined ^ half(SECRET, 0) ^ half(SECRET, 4));
}

function swapped(value: bigint): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value, true);
  return view.getBigUint64(0, false);
}

function mix16(input: DataView, at: number, secretAt: number): bigint {
  return folded(word(input, at) ^ word(SECRET, secretAt), word(input, at + 8) ^ word(SECRET, secretAt + 8));
}

function upTo240(input: DataView): bigint {
  const length = input.byteLength;
  let sum = BigInt(length) * PRIME64_1;
  if (length <= 128) {
    for (let i = (length - 1) >> 5; i >= 0; i--) {
      sum += mix16(input, 16 * i, 32 * i) + mix16(input, length - 16 * (i + 1), 32 * i + 16);
    }
    return avalanche(sum & MASK);
  }
  for (let i = 0; i < 8; i++) sum += mix16(input, 16 * i, 16 * i);
  sum = avalanche(sum & MASK);
  for (let i = 8; i < length >> 4; i++) sum += mix16(input, 16 * i, 16 * (i - 8) + 3);
  return avalanche((sum + mix16(input, length - 16, 136 - 17)) & MASK);
}

function accumulate(lanes: bigint[], input: DataView, at: number, secretAt: number): void {
  for (let i = 0; i < 8; i++) {
    const data = word(input, at + 8 * i);
    const keyed = data ^ word(SECRET, secretAt + 8 * i);
    lanes[i ^ 1] = (lanes[i ^ 1]! + data) & MASK;
    lanes[i] = (lanes[i]! + (keyed & 0xffffffffn) * (keyed >> 32n)) & MASK;
  }
}

function scramble(lanes: bigint[]): void {
  for (const [i, lane] of lanes.entries()) {
    lanes[i] = ((lane ^ (lane >> 47n) ^ word(SECRET, SECRET_LAST + 8 * i)) * PRIME32_1) & MASK;
  }
}

function long(input: DataView): bigint {
  const lanes = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1];
  const length = input.byteLength;
  const stripes = Math.floor((length - 1) / STRIPE);
  for (let i = 0; i < stripes; i++) {
    const within = i % STRIPES_PER_BLOCK;
    accumulate(lanes, input, i * STRIPE, within * 8);
    if (within === STRIPES_PER_BLOCK - 1 && (i + 1) * STRIPE <= Math.floor((length - 1) / BLOCK) * BLOCK)
      scramble(lanes);
  }
  accumulate(lanes, input, length - STRIPE, SECRET_LAST - 7);
  let sum = BigInt(length) * PRIME64_1;
  for (let i = 0; i < 4; i++) {
    sum += folded(lanes[2 * i]! ^ word(SECRET, 11 + 16 * i), lanes[2 * i + 1]! ^ word(SECRET, 19 + 16 * i));
  }
  return avalanche(sum & MASK);
}

/** Sixteen hexadecimal digits. */
export function xxh3Hex(text: Bytes): string {
  const input = bytesOf(text);
  const hash = text.length <= 16 ? upTo16(input) : text.length <= 240 ? upTo240(input) : long(input);
  return hash.toString(16).padStart(16, '0');
}
