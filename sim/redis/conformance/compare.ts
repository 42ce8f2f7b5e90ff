/** Two outcomes of one step, byte for byte, but for what Redis leaves open. */
import { encodeReply } from '../resp.js';
import { Attribution } from './attribution.js';
import { printStep, type Step } from './step.js';
import { HUNG_UP, type Received, type Subject } from './subject.js';

/** What one connection received at one step, without what Redis leaves open. */
export interface Difference {
  /** Index of the step. */
  readonly at: number;
  readonly connection: number;
  readonly expected: readonly Received[];
  readonly actual: readonly Received[];
}

/**
 * Runs a sequence on both and returns where they first differ; steps behind that do not run. Both are reset before.
 */
export async function firstDifference(
  real: Subject,
  other: Subject,
  steps: readonly Step[],
): Promise<Difference | undefined> {
  await Promise.all([real.reset(), other.reset()]);
  const [theirs, ours] = [new Attribution(), new Attribution()];
  for (const [at, step] of steps.entries()) {
    const expected = theirs.normalised(step, await real.run(step), real.ids);
    const actual = ours.normalised(step, await other.run(step), other.ids);
    const connection = expected.findIndex((received, i) => !isSame(received, actual[i]!));
    if (connection >= 0)
      return { at, connection, expected: expected[connection]!, actual: actual[connection]! };
  }
  return undefined;
}

function isSame(a: readonly Received[], b: readonly Received[]): boolean {
  return a.length === b.length && a.every((each, i) => bytesOf(each) === bytesOf(b[i]!));
}

function bytesOf(received: Received): string {
  return received === HUNG_UP ? '(connection closed)' : encodeReply(received);
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
