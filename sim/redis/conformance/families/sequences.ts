/** How commands become sequences. */
import fc, { type Arbitrary } from 'fast-check';
import { isReplyMode } from '../attribution.js';
import { CONNECTIONS, isCommand, type Step } from '../step.js';
import type { Words } from './arguments.js';

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
const NOT_IN_EXEC = /^([ps]?(un)?subscribe|reset|quit|randomkey)$/i;

/** Leaves out what no client could make sense of. */
function readable(steps: readonly Step[]): Step[] {
  const inMulti = new Set<number>();
  const curt = new Set<number>();
  return steps.filter((step) => {
    if (!isCommand(step)) return true;
    const { connection, args } = step;
    if (isReplyMode(args)) curt.add(connection);
    // Redis closes the connection when the reply is written: one that wants none stays open, and deaf.
    if (curt.has(connection) && /^quit$/i.test(args[0]!)) return false;
    if (/^multi$/i.test(args[0]!)) inMulti.add(connection);
    return !(inMulti.has(connection) && NOT_IN_EXEC.test(args[0]!));
  });
}

/**
 * SORT leaves `errno` as it finds it and then asks it whether a number was out of range: in 7.0 a cursor beyond 64 bits, refused long
 * before, makes a later SORT fail on numbers that are none the worse. Here it doesn't.
 */
function withoutOldErrors(steps: readonly Step[]): readonly Step[] {
  let overflowed = false;
  return steps.filter((step) => {
    if (!isCommand(step)) return true;
    const [name, ...args] = step.args;
    if (/scan$/i.test(name!) && args.includes('18446744073709551616')) overflowed = true;
    return !(overflowed && /^sort(_ro)?$/i.test(name!));
  });
}

const WAITING = /^(b[lrz].*|xread|client)$/i;

/** RANDOMKEY removes the expired keys that chance shows it: here they are gone before. */
function withoutExpired(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) =>
    isCommand(step) && /^randomkey$/i.test(step.args[0]!) ? [{ moveUs: 0, expires: true }, step] : [step],
  );
}

/**
 * Only the first connection sends more once it has sent what may wait. Where several waits end at one move of the clock, whose
 * further commands come first is decided by where Redis happens to have its clients in memory.
 */
function oneInQueue(steps: readonly Step[]): readonly Step[] {
  const waits = new Set<number>();
  return steps.filter((step) => {
    if (!isCommand(step)) return true;
    const { connection, args } = step;
    if (connection !== 0 && waits.has(connection)) return false;
    if (/^(b[lrz].*|xread)$/i.test(args[0]!)) waits.add(connection);
    return true;
  });
}

/** What ends the waiting of an engine's commands removes expired keys, too: they go with each move of the clock. */
function awake(steps: readonly Step[]): readonly Step[] {
  if (!steps.some((step) => isCommand(step) && WAITING.test(step.args[0]!))) return steps;
  // Whether they go before or after a connection goes on with what it had sent is Redis's affair: only DBSIZE would show it.
  return oneInQueue(steps)
    .filter((step) => !isCommand(step) || !/^dbsize$/i.test(step.args[0]!))
    .map((step) => (isCommand(step) ? step : { ...step, expires: true }));
}

interface Family {
  readonly commands: readonly Arbitrary<Words>[];
  /** Their share beside the others. */
  readonly clock?: number;
}

export function sequences({ commands, clock = 1 }: Family): Arbitrary<Step[]> {
  const step = fc.oneof(
    { weight: 8, arbitrary: commandStep(commands) },
    { weight: clock, arbitrary: clockStep },
  );
  return fc
    .array(step, { minLength: 1, maxLength: 25 })
    .map((steps) => readable(withoutOldErrors(withoutExpired(awake(steps)))));
}
