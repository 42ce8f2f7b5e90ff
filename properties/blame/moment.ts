import type { Blame } from '../verdict.js';

/** x of docs/properties.md: the first bad instant. */
export interface Moment {
  readonly tUs: number;
  /** For a use: when it was sent; null for an overlap or a return. */
  readonly sentUs: number | null;
  /** The event that shows it. */
  readonly index: number;
}

/** Whose fault, the rest of the sentence that says so, and the events that show it. */
export interface Finding {
  readonly blame: Blame;
  readonly because: string;
  readonly evidence: readonly number[];
}
