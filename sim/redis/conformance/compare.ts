/** Two outcomes of one step, byte for byte, but for what Redis leaves open. */
import { ErrorReply, type Reply } from '../keyspace.js';
import { encodeReply } from '../resp.js';
import { normalisedMessages, normaliserOf } from './normalise.js';
import { isCommand, printStep, type Step } from './step.js';
import { HUNG_UP, type Outcome, type Received, type Subject } from './subject.js';

/** What one connection received at one step, without what Redis leaves open. */
export interface Difference {
  /** Index of the step. */
  readonly at: number;
  readonly connection: number;
  readonly expected: readonly Received[];
  readonly actual: readonly Received[];
}

/** What a connection has queued since MULTI, so that EXEC's replies are each compared by their command. */
type Queue = (readonly string[])[];

/**
 * Runs a sequence on both and returns where they first differ; steps behind that do not run. Both are reset before.
 */
export async function firstDifference(
  real: Subject,
  other: Subject,
  steps: readonly Step[],
): Promise<Difference | undefined> {
  await Promise.all([real.reset(), other.reset()]);
  const queues: Queue[] = [];
  for (const [at, step] of steps.entries()) {
    const theirs = await real.run(step);
    const ours = await other.run(step);
    const expected = normalised(step, theirs, real.ids, queues);
    const actual = normalised(step, ours, other.ids, queues);
    const connection = expected.findIndex((received, i) => !isSame(received, actual[i]!));
    if (connection >= 0)
      return { at, connection, expected: expected[connection]!, actual: actual[connection]! };
    if (isCommand(step)) follow(step.args, theirs[step.connection]!, (queues[step.connection] ??= []));
  }
  return undefined;
}

function isSame(a: readonly Received[], b: readonly Received[]): boolean {
  return a.length === b.length && a.every((each, i) => bytesOf(each) === bytesOf(b[i]!));
}

function bytesOf(received: Received): string {
  return received === HUNG_UP ? '(connection closed)' : encodeReply(received);
}

/** A reply to another connection than the one that sends is a late one, or a message: compared as it is. */
function normalised(step: Step, outcome: Outcome, ids: readonly number[], queues: readonly Queue[]): Outcome {
  return outcome.map((received, connection) => {
    const args = isCommand(step) && step.connection === connection ? step.args : null;
    const messages: readonly Received[] = normalisedMessages(received);
    if (args === null) return messages;
    return messages.map((each) =>
      each === HUNG_UP ? each : normalisedReply(each, args, queues[connection] ?? [], ids),
    );
  });
}

function normalisedReply(reply: Reply, args: readonly string[], queue: Queue, ids: readonly number[]): Reply {
  if (reply instanceof ErrorReply) return reply;
  if (args[0]?.toLowerCase() !== 'exec') return normaliserOf(args)(reply, ids);
  if (!Array.isArray(reply)) return reply;
  return (reply as Reply[]).map((each, i) =>
    queue[i] === undefined ? each : normalisedReply(each, queue[i], [], ids),
  );
}

function follow(args: readonly string[], received: readonly Received[], queue: Queue): void {
  if (received.length > 0 && bytesOf(received[0]!) === '+QUEUED\r\n') queue.push(args);
  else if (/^(exec|discard|multi|reset)$/i.test(args[0] ?? '')) queue.length = 0;
}

export function printReceived(received: readonly Received[], length = 1000): string {
  if (received.length === 0) return '(nothing)';
  const text = received
    .map((each) => (each === HUNG_UP ? '(connection closed)' : JSON.stringify(encodeReply(each))))
    .join(' ');
  return text.length > length ? `${text.slice(0, length)}... (${text.length} characters)` : text;
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
