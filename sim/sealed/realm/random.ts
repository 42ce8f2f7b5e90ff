import type { Seat } from './seat.js';

/** Fills bytes from the process's own stream: four bytes a draw, least significant first. */
export function fillRandom(seat: Seat, bytes: Uint8Array): void {
  const { services } = seat;
  let word = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if ((index & 3) === 0) word = services.randomUint32();
    bytes[index] = word & 0xff;
    word >>>= 8;
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The bytes of a word from the lowest on, in hexadecimal. */
function lowHalf(word: number): string {
  return HEX[word & 0xff]! + HEX[(word >>> 8) & 0xff]!;
}

function highHalf(word: number): string {
  return HEX[(word >>> 16) & 0xff]! + HEX[word >>> 24]!;
}

/** A version 4 UUID from the process's stream. */
export function randomUuid(seat: Seat): string {
  const { services } = seat;
  const first = services.randomUint32();
  // Byte 6 carries the version, byte 8 the variant.
  const second = (services.randomUint32() & 0xff0fffff) | 0x00400000;
  const third = (services.randomUint32() & 0xffffff3f) | 0x00000080;
  const fourth = services.randomUint32();
  return (
    `${lowHalf(first)}${highHalf(first)}-${lowHalf(second)}-${highHalf(second)}-` +
    `${lowHalf(third)}-${highHalf(third)}${lowHalf(fourth)}${highHalf(fourth)}`
  );
}

/** A whole number in [0, below), below ≤ 2^48, without bias. */
export function randomBelow(seat: Seat, below: number): number {
  const range = 2 ** 48;
  const limit = range - (range % below);
  for (;;) {
    const drawn = (seat.services.randomUint32() & 0xffff) * 2 ** 32 + seat.services.randomUint32();
    if (drawn < limit) return drawn % below;
  }
}

/** `Math` with the process's own `random`; all else is the real one's, whose `random` is a tripwire during a run. */
export function makeMath(seat: Seat): Math {
  const random = (): number => seat.services.random();
  return Object.create(Math, {
    random: { value: random, writable: true, configurable: true, enumerable: false },
  }) as Math;
}
