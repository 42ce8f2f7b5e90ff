import type { Analysis } from '../analysis/model.js';
import type { Unknown, Verdict } from '../verdict.js';

/** A property: a pure function of the analysed history. */
export type Check = (analysis: Analysis) => Verdict;

export function unknown(reason: string): Unknown {
  return { verdict: 'unknown', reason };
}
