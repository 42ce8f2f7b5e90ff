import type { Order } from './commander.js';
import { onlyReads } from './errand.js';

export interface Outcome {
  readonly error: Error | null;
  readonly value: unknown;
}

const ABORTED = 'EXECABORT Transaction discarded because of previous errors.';

/**
 * The one error for which a pipeline may be sent again, as ioredis judges it: all that failed failed alike, and nothing that
 * writes has taken effect. Null: its outcomes stand.
 */
export function retriable(orders: readonly Order[], outcomes: readonly Outcome[]): Error | null {
  let common: Error | null = null;
  let inTransaction = false;
  for (const [index, { error }] of outcomes.entries()) {
    const { args } = orders[index]!;
    const name = args[0]!.toUpperCase();
    if (name === 'MULTI') inTransaction = true;
    if (name === 'EXEC') inTransaction = false;
    if (error === null) {
      if (!inTransaction && !onlyReads(args)) return null;
    } else if (name !== 'EXEC' || error.message !== ABORTED) {
      common ??= error;
      if (common.name !== error.name || common.message !== error.message) return null;
    }
  }
  return common;
}
