/**
 * Small scenarios that hunts found, in which a reference lock was once said to be to blame (docs/disagreements.md, "Found by
 * hunting"). It is not; what was violated there, if anything, is somebody else's fault.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { Subject } from './generated.js';

interface Misjudged {
  readonly what: string;
  readonly scenario: ScenarioInput;
}

const cases = JSON.parse(
  readFileSync(new URL('./misjudged.json', import.meta.url), 'utf8'),
) as readonly Misjudged[];

describe.each(cases)('$what', ({ scenario }) => {
  it('is not the fault of the lock', async () => {
    const subject = await Subject.load(scenario.lock!.name!);
    const { violations, evaluated } = await subject.run(scenario);
    expect(evaluated.size).toBeGreaterThan(0);
    expect(violations.filter(({ blame }) => blame === 'library')).toEqual([]);
  });
});
