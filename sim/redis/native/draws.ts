/** Random members: SRANDMEMBER and its kin, from the engine's own stream. */
import { ErrorReply, type Bytes } from '../keyspace.js';
import { NOT_INTEGER, SYNTAX } from './command.js';
import type { Engine } from './engine.js';
import { parseInt64 } from './numbers.js';

const OUT_OF_RANGE = new ErrorReply('ERR value is out of range');
const BEYOND = new ErrorReply(
  'ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807',
);
const LONG_MAX = 2n ** 63n - 1n;

interface Draw {
  /** Negative: that many, and the same may come again. */
  readonly count: number;
  readonly withValues: boolean;
}

/** key [count [WITHVALUES]]; null: one, by itself. */
export function readDraw(args: readonly Bytes[], valuesWord: string): Draw | null | ErrorReply {
  if (args.length === 2) return null;
  const count = parseInt64(args[2]!);
  if (count === undefined) return NOT_INTEGER;
  if (count < -LONG_MAX) return BEYOND;
  const withValues = args[3]?.toLowerCase() === valuesWord;
  if (args.length > 4 || (args.length === 4 && !withValues)) return SYNTAX;
  if (withValues && (count < -LONG_MAX / 2n || count > LONG_MAX / 2n)) return OUT_OF_RANGE;
  return { count: Number(count), withValues };
}

export function drawOne(engine: Engine, items: readonly Bytes[]): Bytes {
  return items[Math.floor(engine.draws.next() * items.length)]!;
}

/** So many different ones, or, with a negative count, so many whichever they are. */
export function draw(engine: Engine, items: readonly Bytes[], count: number): Bytes[] {
  if (items.length === 0) return [];
  if (count < 0) return Array.from({ length: -count }, () => drawOne(engine, items));
  if (count >= items.length) return [...items];
  const left = [...items];
  return Array.from({ length: count }, () => {
    const at = Math.floor(engine.draws.next() * left.length);
    const item = left[at]!;
    left[at] = left.at(-1)!;
    left.pop();
    return item;
  });
}
