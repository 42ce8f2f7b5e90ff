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

/** A version 4 UUID from the process's stream. */
export function randomUuid(seat: Seat): string {
  const bytes = new Uint8Array(16);
  fillRandom(seat, bytes);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let text = '';
  for (let index = 0; index < 16; index += 1) {
    if (index === 4 || index === 6 || index === 8 || index === 10) text += '-';
    text += HEX[bytes[index] as number];
  }
  return text;
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
