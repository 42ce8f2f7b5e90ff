/** Of several violations the one that a run is about. */
import { PROPERTY_IDS, type PropertyId } from '../../sim/scenario/schema.js';
import type { Verdicts } from '../verdict.js';

/** What the storage suffered before what processes believed, else the first that is violated; undefined: none is. */
export function mainProperty(verdicts: Verdicts): PropertyId | undefined {
  const order: readonly PropertyId[] = [
    'no-stale-write',
    'mutual-exclusion',
    'exclusive-use',
    ...PROPERTY_IDS,
  ];
  return order.find((property) => verdicts[property].verdict === 'violated');
}
