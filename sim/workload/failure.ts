/** The error with which the work of a section ends, where the scenario has it fail, and who gets to hear of it. */
import type { Grant } from '../../src/contract.js';
import type { Process } from '../host/process.js';
import type { Hold } from './hold.js';

/** What the work throws at its end. */
class WorkFailed extends Error {
  override readonly name = 'WorkFailed';

  constructor(hold: Hold) {
    super(`the work of ${hold.id} failed`);
  }
}

export function workFailed(hold: Hold): Error {
  return new WorkFailed(hold);
}

/**
 * Tells a lock that runs the work itself that the work failed. It owes the error to its caller, as it is, as a cause, or among the errors of an
 * aggregate. Rejects with what the caller hears instead of it.
 */
export async function failInside(process: Process, grant: Grant, failure: Error): Promise<void> {
  try {
    await grant.fail!(failure);
  } catch (heard) {
    if (tells(heard, failure)) return;
    process.trouble('masked-error', failure, heard);
    throw heard;
  }
  process.trouble('masked-error', failure);
}

/** Whether an error is the failure, or has it behind it; not for ever, should causes go round in circles. */
function tells(heard: unknown, failure: Error, depth = 8): boolean {
  if (heard === failure) return true;
  if (depth === 0 || typeof heard !== 'object' || heard === null) return false;
  const { cause, errors } = heard as { cause?: unknown; errors?: unknown };
  if (tells(cause, failure, depth - 1)) return true;
  return Array.isArray(errors) && errors.some((each) => tells(each, failure, depth - 1));
}
