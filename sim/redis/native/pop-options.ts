import { ErrorReply, type Bytes } from '../keyspace.js';
import { SYNTAX } from './command.js';
import { parseInteger } from './numbers.js';

const KEYS_NEEDED = new ErrorReply('ERR numkeys should be greater than 0');
const COUNT_NEEDED = new ErrorReply('ERR count should be greater than 0');

interface PopOptions {
  readonly keys: readonly Bytes[];
  /** The first of the two ends was named. */
  readonly first: boolean;
  readonly count: number;
}

/** Of LMPOP, ZMPOP and their blocking forms, from `at` on: numkeys key ... end [COUNT count] */
export function readPopOptions(
  args: readonly Bytes[],
  at: number,
  firstEnd: string,
  secondEnd: string,
): PopOptions | ErrorReply {
  const keyCount = parseInteger(args[at]!);
  if (keyCount === undefined || keyCount < 1) return KEYS_NEEDED;
  const endAt = at + 1 + keyCount;
  const end = args[endAt]?.toLowerCase();
  if (end !== firstEnd && end !== secondEnd) return SYNTAX;
  let count: number | undefined;
  for (let i = endAt + 1; i < args.length; i += 2) {
    if (args[i]!.toLowerCase() !== 'count' || count !== undefined || i + 1 >= args.length) return SYNTAX;
    count = parseInteger(args[i + 1]!);
    if (count === undefined || count < 1) return COUNT_NEEDED;
  }
  return { keys: args.slice(at + 1, endAt), first: end === firstEnd, count: count ?? 1 };
}
