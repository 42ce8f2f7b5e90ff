import { each, expecting, sound } from '../expectations.js';
import type { CatalogueEntry } from '../entry.js';
import { BLIND_RELEASE, blindReleaseBoundaries, OVERSTAYED, S8_SCENARIO } from './s8-delete-without-check.js';

/** S8's timing: p1's release compares, and finds its value, because everybody writes the same. */
export const S10: CatalogueEntry = {
  scenario: {
    ...S8_SCENARIO,
    id: 'S10',
    expect: expecting(sound(OVERSTAYED), each(['pitfall/constant-value'], BLIND_RELEASE)),
  },
  title: 'Everybody writes the same value',
  question: 'The release compares the value before it deletes. What if all clients use the same one?',
  takeaway:
    'Then the comparison proves nothing. The value must be unique to each acquisition, not to the program.',
  source: 'Redis documentation, "Distributed locks with Redis", on the random value',
  boundaries: blindReleaseBoundaries('pitfall/constant-value'),
};
