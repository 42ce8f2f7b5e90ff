/** The families of generated sequences. */
import fc, { type Arbitrary } from 'fast-check';
import { COMMANDS } from '../../native/commands.js';
import { isReplyMode } from '../attribution.js';
import { CONNECTIONS, isCommand, type Step } from '../step.js';
import type { Words } from './arguments.js';
import { BAD_INPUT } from './bad-input.js';
import { BLOCKING, UNBLOCKING } from './blocking.js';
import { BUSY, oneAtATime } from './busy.js';
import { CONNECTION } from './connection.js';
import { EXPIRY } from './expiry.js';
import { HASHES } from './hashes.js';
import { KEYS } from './keys.js';
import { LISTS } from './lists.js';
import { PUB_SUB } from './pubsub.js';
import { SCRIPTS } from './scripts.js';
import { SETS } from './sets.js';
import { SORTED_SET_RANGES, SORTED_SETS } from './sorted-sets.js';
import { STREAMS } from './streams.js';
import { STRING_READS, STRING_SETS, STRINGS } from './strings.js';
import { TRANSACTIONS } from './transactions.js';

/** Around the deadlines that commands set: before, at, after; and back. */
const moves = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1, 8, 9, 10, 11, 90, 99, 100, 101, 499, 500, 1000, 1001, 1500) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, -1, -100, -2000, 2_000_000) },
);
const clockStep: Arbitrary<Step> = fc
  .record({ moveMs: moves, expires: fc.boolean() })
  .map(({ moveMs, expires }) => ({ moveUs: moveMs * 1000, expires }));

const cased = (args: Words, upper: boolean): Words =>
  upper ? [args[0]!.toUpperCase(), ...args.slice(1)] : args;

function commandStep(commands: readonly Arbitrary<Words>[]): Arbitrary<Step> {
  const connection = fc.constantFrom(
    ...[0, 0, 0, ...Array.from({ length: CONNECTIONS - 1 }, (_, i) => i + 1)],
  );
  return fc
    .tuple(fc.oneof(...commands), connection, fc.boolean())
    .map(([args, from, upper]) => ({ connection: from, args: cased(args, upper) }));
}

/** Confirmations of subscriptions inside EXEC's reply are no replies: no client can read what comes. */
const UNREADABLE_IN_EXEC = /^([ps]?(un)?subscribe|reset|quit)$/i;

function readable(steps: readonly Step[]): Step[] {
  const inMulti = new Set<number>();
  const curt = new Set<number>();
  return steps.filter((step) => {
    if (!isCommand(step)) return true;
    const { connection, args } = step;
    if (!offered(args)) return false;
    if (isReplyMode(args)) curt.add(connection);
    // Redis closes the connection when the reply is written: one that wants none stays open, and deaf.
    if (curt.has(connection) && /^quit$/i.test(args[0]!)) return false;
    if (/^multi$/i.test(args[0]!)) inMulti.add(connection);
    return !(inMulti.has(connection) && UNREADABLE_IN_EXEC.test(args[0]!));
  });
}

/** Commands that the engine does not have at all are left out; a test counts them. */
function offered([name = '', sub = '']: Words): boolean {
  if (name === '' || name.toLowerCase() === 'nosuch') return true;
  const found = COMMANDS.find(name);
  if (found?.subcommands) return sub === 'nosuch' || found.subcommands.has(sub.toLowerCase());
  return found !== undefined;
}

interface Family {
  readonly commands: readonly Arbitrary<Words>[];
  /** Their share beside the others. */
  readonly clock?: number;
}

function sequences({ commands, clock = 1 }: Family): Arbitrary<Step[]> {
  const step = fc.oneof(
    { weight: 8, arbitrary: commandStep(commands) },
    { weight: clock, arbitrary: clockStep },
  );
  return fc.array(step, { minLength: 1, maxLength: 25 }).map(readable);
}

/** A script that takes a millisecond is slow. */
const SOON_BUSY: Step = { connection: 0, args: ['config', 'set', 'busy-reply-threshold', '1'] };

const OTHERS = [...STRING_SETS, ...STRING_READS, KEYS[0]!];

/** Each stays with one kind of commands, beside a few others that meet it. */
export const FAMILIES: Readonly<Record<string, Arbitrary<Step[]>>> = {
  strings: sequences({ commands: STRINGS }),
  keys: sequences({ commands: [...KEYS, ...OTHERS] }),
  expiry: sequences({ commands: [...EXPIRY, ...OTHERS], clock: 4 }),
  scripts: sequences({ commands: [...SCRIPTS, ...OTHERS] }),
  transactions: sequences({
    commands: [...TRANSACTIONS, ...TRANSACTIONS, ...OTHERS, ...KEYS, ...EXPIRY.slice(0, 4), SCRIPTS[0]!],
    clock: 3,
  }),
  hashes: sequences({ commands: [...HASHES, ...OTHERS] }),
  sets: sequences({ commands: [...SETS, ...OTHERS] }),
  lists: sequences({ commands: [...LISTS, ...OTHERS] }),
  'sorted-sets': sequences({ commands: [...SORTED_SETS, ...OTHERS] }),
  'sorted-set-ranges': sequences({ commands: [...SORTED_SET_RANGES, ...OTHERS] }),
  'pub-sub': sequences({ commands: PUB_SUB }),
  blocking: sequences({ commands: [...BLOCKING, ...UNBLOCKING, ...TRANSACTIONS.slice(0, 4)], clock: 2 }),
  streams: sequences({ commands: [...STREAMS, KEYS[0]!, EXPIRY[2]!] }),
  connection: sequences({ commands: CONNECTION }),
  busy: sequences({ commands: BUSY }).map((steps) => [SOON_BUSY, ...oneAtATime(steps)]),
  'bad-input': sequences({ commands: BAD_INPUT }),
  everything: sequences({
    commands: [
      ...[STRINGS, KEYS, EXPIRY, SCRIPTS, TRANSACTIONS, HASHES, SETS, LISTS, SORTED_SETS, SORTED_SET_RANGES],
      ...[PUB_SUB, BLOCKING, STREAMS, CONNECTION],
    ].flat(),
  }),
};
