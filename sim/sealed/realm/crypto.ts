import { lazily } from './lazy.js';
import { fillRandom, randomBelow, randomUuid } from './random.js';
import { refusal } from './refused.js';
import { invalidArgument } from './seat.js';
import type { AnyFunction, Seat } from './seat.js';

type Members = Record<string, unknown>;
type Callback<T> = (error: Error | null, result?: T) => void;

/** The host's own members that depend on their arguments alone. */
const PASSED =
  `createHash createHmac hash Hash Hmac timingSafeEqual getHashes getCiphers getCipherInfo getCurves
  createCipheriv createDecipheriv Cipheriv Decipheriv createSecretKey createPublicKey createPrivateKey KeyObject
  pbkdf2Sync scryptSync hkdfSync constants createVerify verify publicDecrypt`.split(/\s+/);

const PASSED_ALONE = new Set(PASSED);
const OWN_RANDOM = new Set(
  'randomBytes randomFillSync randomFill randomInt getRandomValues randomUUID'.split(' '),
);

/** Key derivations that run on the thread pool: computed at once instead. */
const DERIVED = ['pbkdf2', 'scrypt', 'hkdf'];

const MOST_BYTES = 65_536;

function bytesOf(view: ArrayBufferView | ArrayBuffer): Uint8Array {
  return view instanceof ArrayBuffer
    ? new Uint8Array(view)
    : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function makeRandomMembers(seat: Seat) {
  /** As from the thread pool: never within the call, but before time moves. */
  const later = <T>(callback: Callback<T>, result: T): void => {
    const kept = seat.keepContext === null ? callback : seat.keepContext(callback);
    seat.services.startImmediate(() => kept(null, result));
  };
  const randomBytes = (size: number, callback?: Callback<Uint8Array>): Uint8Array | undefined => {
    if (typeof size !== 'number') throw invalidArgument('size', 'of type number', size);
    const bytes = typeof Buffer === 'undefined' ? new Uint8Array(size) : Buffer.alloc(size);
    fillRandom(seat, bytes);
    if (callback === undefined) return bytes;
    later(callback, bytes);
    return undefined;
  };
  const randomFillSync = <T extends ArrayBufferView>(view: T, offset = 0, size?: number): T => {
    const bytes = bytesOf(view);
    fillRandom(seat, bytes.subarray(offset, size === undefined ? bytes.length : offset + size));
    return view;
  };
  const randomFill = <T extends ArrayBufferView>(view: T, ...rest: (number | Callback<T>)[]): void => {
    const callback = rest.pop() as Callback<T>;
    later(callback, randomFillSync(view, ...(rest as number[])));
  };
  const randomInt = (...args: (number | Callback<number> | undefined)[]): number | undefined => {
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback<number>) : undefined;
    const [least, below] = (args[1] === undefined ? [0, args[0]] : args) as [number, number];
    if (
      !Number.isSafeInteger(least) ||
      !Number.isSafeInteger(below) ||
      below <= least ||
      below - least >= 2 ** 48
    ) {
      throw new RangeError(`The value of "max" is out of range: [${least}, ${below})`);
    }
    const drawn = least + randomBelow(seat, below - least);
    if (callback === undefined) return drawn;
    later(callback, drawn);
    return undefined;
  };
  const getRandomValues = <T extends ArrayBufferView>(view: T): T => {
    if (view.byteLength > MOST_BYTES)
      throw new DOMException('The requested length exceeds 65536 bytes', 'QuotaExceededError');
    return randomFillSync(view);
  };
  const randomUUID = (): string => randomUuid(seat);
  return {
    randomBytes,
    pseudoRandomBytes: randomBytes,
    randomFillSync,
    randomFill,
    randomInt,
    getRandomValues,
    randomUUID,
    later,
  };
}

interface HashHost {
  createHash(name: string): { update(data: Uint8Array): { digest(): Uint8Array } };
}

function makeSubtle(seat: Seat, host: Members): Members {
  const digest = (
    algorithm: string | { name: string },
    data: ArrayBufferView | ArrayBuffer,
  ): Promise<ArrayBuffer> => {
    const name = (typeof algorithm === 'string' ? algorithm : algorithm.name).toLowerCase().replace('-', '');
    const hash = (host as unknown as HashHost).createHash(name).update(bytesOf(data)).digest();
    return Promise.resolve(new Uint8Array(hash).buffer);
  };
  const subtle: Members = { digest };
  for (const name of [
    'encrypt',
    'decrypt',
    'sign',
    'verify',
    'deriveBits',
    'deriveKey',
    'generateKey',
    'importKey',
    'exportKey',
    'wrapKey',
    'unwrapKey',
  ]) {
    subtle[name] = refusal(seat, `crypto.subtle.${name}`);
  }
  return subtle;
}

/** The global `crypto`: what a browser has too. `host` gives Node's module. */
export function makeWebcrypto(seat: Seat, host: () => Members): Members {
  const { getRandomValues, randomUUID } = makeRandomMembers(seat);
  const webcrypto: Members = { getRandomValues, randomUUID };
  lazily(webcrypto, 'subtle', () => makeSubtle(seat, host()));
  return webcrypto;
}

/** The module `crypto` for a program that calls these members alone. */
export function makeCryptoMembers(seat: Seat, host: Members, names: Iterable<string>): Members | null {
  const random: Members = makeRandomMembers(seat);
  const module: Members = {};
  for (const name of names) {
    if (OWN_RANDOM.has(name)) module[name] = random[name];
    else if (PASSED_ALONE.has(name) && host[name] !== undefined) module[name] = host[name];
    else return null;
  }
  return module;
}

/** The module `crypto`. */
export function makeCrypto(seat: Seat, host: Members, webcrypto: Members): Members {
  const { later, ...random } = makeRandomMembers(seat);
  const module: Members = { ...random, webcrypto };
  lazily(module, 'subtle', () => webcrypto['subtle']);
  for (const name of PASSED) if (host[name] !== undefined) module[name] = host[name];
  for (const name of DERIVED) {
    const compute = host[`${name}Sync`] as AnyFunction | undefined;
    if (compute === undefined) continue;
    module[name] = (...args: unknown[]): void => {
      const callback = args.pop() as Callback<unknown>;
      later(callback, compute(...args));
    };
  }
  for (const name of Object.keys(host)) {
    if (name in module || typeof host[name] !== 'function') continue;
    lazily(module, name, () => refusal(seat, `crypto.${name}`));
  }
  return module;
}
