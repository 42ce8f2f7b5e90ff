/** Cells of the matrix whose verdicts the engine ioredis-mock changes, and why. docs/engines.md shows them. */
import type { PropertyId } from '../../sim/scenario/schema.js';

export interface CellDifference {
  readonly scenario: string;
  readonly lock: string;
  readonly property: PropertyId;
  readonly native: string;
  readonly mock: string;
  readonly because: string;
}

export const CELL_DIFFERENCES: readonly CellDifference[] = [
  {
    scenario: 'S12',
    lock: 'redlock@4.2.0',
    property: 'no-orphan',
    native: 'violated/infrastructure',
    mock: 'holds',
    because:
      'Scripts belong to the client: the one that is to leave the key behind is told NOSCRIPT instead, and has given up when it could have sent the text.',
  },
  {
    scenario: 'R12',
    lock: 'redlock@4.2.0',
    property: 'no-orphan',
    native: 'violated/infrastructure',
    mock: 'holds',
    because: 'The same: the late request that sets the keys behind its client’s back ends in NOSCRIPT.',
  },
];
