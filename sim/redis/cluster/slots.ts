/** Hash slots, as the Redis Cluster specification defines them: which slot a key belongs to, and who has which slots. */
import type { Bytes } from '../keyspace.js';

export const SLOTS = 16_384;

/** CRC16 as XMODEM has it: polynomial 0x1021, nothing reflected, from zero. */
const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  return crc;
});

function crc16(bytes: Bytes, from: number, until: number): number {
  let crc = 0;
  for (let i = from; i < until; i++) {
    crc = ((crc << 8) & 0xffff) ^ CRC_TABLE[(crc >> 8) ^ bytes.charCodeAt(i)]!;
  }
  return crc;
}

/** The slot of a key: of what stands between its first `{` and the next `}` if that is not empty, else of all of it. */
export function slotOf(key: Bytes): number {
  const open = key.indexOf('{');
  const close = open < 0 ? -1 : key.indexOf('}', open + 1);
  const tagged = close > open + 1;
  return crc16(key, tagged ? open + 1 : 0, tagged ? close : key.length) % SLOTS;
}

/** Slots `first` to `last`, both included, which move together: nothing here migrates single slots. */
export interface SlotRange {
  readonly first: number;
  readonly last: number;
}

/** The slots divided among so many masters, as `redis-cli --cluster create` does. */
export function divideSlots(masters: number): SlotRange[] {
  const share = SLOTS / masters;
  const ranges: SlotRange[] = [];
  let first = 0;
  for (let index = 0; index < masters; index++) {
    const last = index === masters - 1 ? SLOTS - 1 : Math.round(share * index + share - 1);
    ranges.push({ first, last });
    first = last + 1;
  }
  return ranges;
}

/** Index of the range that a slot lies in. */
export function rangeOf(ranges: readonly SlotRange[], slot: number): number {
  let index = 0;
  while (ranges[index]!.last < slot) index++;
  return index;
}

export function slotCount({ first, last }: SlotRange): number {
  return last - first + 1;
}
