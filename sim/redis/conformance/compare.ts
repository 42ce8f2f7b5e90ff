/** Two outcomes of one step, byte for byte, but for what Redis leaves open. */
import type { Reply } from '../keyspace.js';
import { ErrorReply } from '../keyspace.js';
import { encodeReply } from '../resp.js';
import { normalisedMessages, normaliserOf } from './normalise.js';
import { isCommand, printStep, type Step } from './step.js';
import { HUNG_UP, type Outcome, type Received, type Subject } from './subject.js';

export interface Difference {
  /** Index of the step. */
  readonly at: number;
  readonly connection: number;
  readonly expected: readonly Received[];
  readonly actual: readonly Received[];
}

/** What a connection has queued since MULTI, so that EXEC's replies are each compared by their command. */
type Queue = (readonly string[])[];

function isQueued(received: Received | undefined): boolean {
  return received !== undefined && received !== HUNG_UP && encodeReply(received) === '+QUEUED\r\n';
}

/** A reply as bytes that are equal where Redis promises equality. `args`: the command; null: it is not known. */
function bytesOf(
  received: Received,
  args: readonly string[] | null,
  queue: Queue,
  ids: readonly number[],
): string {
  if (received === HUNG_UP) return '(connection closed)';
  return encodeReply(normalised(received, args, queue, ids));
}

function normalised(
  reply: Reply,
  args: readonly string[] | null,
  queue: Queue,
  ids: readonly number[],
): Reply {
  if (args === null || reply instanceof ErrorReply) return reply;
  if (args[0]?.toLowerCase() === 'exec') {
    if (!Array.isArray(reply)) return reply;
    return (reply as Reply[]).map((each, i) => normalised(each, queue[i] ?? null, [], ids));
  }
  return normaliserOf(args)(reply, ids);
}

/**
 * Runs a sequence on both and returns where they first differ. Both are reset before.
 */
export async function firstDifference(
  real: Subject,
  other: Subject,
  steps: readonly Step[],
): Promise<Difference | undefined> {
  await Promise.all([real.reset(), other.reset()]);
  const queues: Queue[] = [];
  for (const [at, step] of steps.entries()) {
    const expected = await real.run(step);
    const actual = await other.run(step);
    const difference = differenceOf(step, [expected, real.ids], [actual, other.ids], queues);
    if (difference !== undefined) return { at, ...difference };
    if (isCommand(step)) follow(step.args, expected[step.connection]!, (queues[step.connection] ??= []));
  }
  return undefined;
}

function differenceOf(
  step: Step,
  [expected, realIds]: [Outcome, readonly number[]],
  [actual, otherIds]: [Outcome, readonly number[]],
  queues: readonly Queue[],
): Omit<Difference, 'at'> | undefined {
  for (const [connection, received] of expected.entries()) {
    const theirs = normalisedMessages(received);
    const ours = normalisedMessages(actual[connection] ?? []);
    const args = isCommand(step) && step.connection === connection ? step.args : null;
    const queue = queues[connection] ?? [];
    const same =
      theirs.length === ours.length &&
      theirs.every(
        (each, i) => bytesOf(each, args, queue, realIds) === bytesOf(ours[i]!, args, queue, otherIds),
      );
    if (!same) return { connection, expected: theirs, actual: ours };
  }
  return undefined;
}

function follow(args: readonly string[], received: readonly Received[], queue: Queue): void {
  if (isQueued(received[0])) queue.push(args);
  else if (/^(exec|discard|multi|reset)$/i.test(args[0] ?? '')) queue.length = 0;
}

function printReceived(received: readonly Received[]): string {
  if (received.length === 0) return '(nothing)';
  const text = received
    .map((each) => (each === HUNG_UP ? '(connection closed)' : JSON.stringify(encodeReply(each))))
    .join(' ');
  return text.length > 1000 ? `${text.slice(0, 1000)}... (${text.length} characters)` : text;
}

/** The sequence as redis-cli lines up to the difference, and both replies. */
export function printDifference(
  steps: readonly Step[],
  difference: Difference,
  real: string,
  other: string,
): string {
  const { at, connection, expected, actual } = difference;
  return [
    ...steps.slice(0, at + 1).map(printStep),
    `${real} to connection ${connection}: ${printReceived(expected)}`,
    `${other} to connection ${connection}: ${printReceived(actual)}`,
  ].join('\n');
}
