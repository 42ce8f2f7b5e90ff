/** `expect(history).toHold('mutual-exclusion')`. */
import { judge } from '../../properties/judge.js';
import {
  everyViolation,
  type Blame,
  type Unknown,
  type Verdicts,
  type Violation,
} from '../../properties/verdict.js';
import type { History } from '../../sim/history/events.js';
import { PROPERTY_IDS, type PropertyId } from '../../sim/scenario/schema.js';
import { BLAMES } from '../options.js';
import type { ToHoldOptions } from './public.js';
import { saveCounterexample } from './save.js';
import { checkWords, listOf } from './words.js';

export interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What was found of the properties asked for. */
interface Findings {
  readonly violated: readonly (readonly [PropertyId, Violation])[];
  readonly unknown: readonly (readonly [PropertyId, Unknown])[];
}

/**
 * Judges a history. A property must hold: `unknown` is not enough, nor does it do for `.not`, which wants a violation.
 * @throws TypeError for what is no history, no property or no blame
 */
export function toHold(
  this: { readonly isNot?: boolean; readonly currentTestName?: string },
  received: unknown,
  properties: PropertyId | readonly PropertyId[],
  options: ToHoldOptions = {},
): MatcherResult {
  const history = historyOf(received);
  const asked = listOf(properties ?? []);
  checkWords('toHold', 'property', asked, PROPERTY_IDS);
  const failOn = listOf(options.failOn ?? BLAMES);
  checkWords('toHold', 'blame', failOn, BLAMES);
  const { verdicts } = judge(history);
  const { violated, unknown } = findingsOf(verdicts, asked, failOn);
  const [first] = violated;
  if (first !== undefined) {
    // Under `.not` this is what was wanted, and nothing is to be kept of it.
    if (this.isNot === true) return { pass: false, message: () => '' };
    const { out = 'lockpick-out' } = options;
    const report = saveCounterexample({ history, verdicts, about: first, out, test: this.currentTestName });
    return { pass: false, message: () => `${sentence(asked, violated)}\n\n${report}` };
  }
  const uncertain = options.orUnknown === true ? [] : unknown;
  // What is unknown neither holds nor does not.
  if (uncertain.length > 0)
    return { pass: this.isNot === true, message: () => unknownSentence(uncertain, history) };
  return {
    pass: true,
    message: () => `${asked.join(', ')}: expected a violation, and there is none (${whichRun(history)})`,
  };
}

function findingsOf(verdicts: Verdicts, asked: readonly PropertyId[], failOn: readonly Blame[]): Findings {
  const violated: [PropertyId, Violation][] = [];
  const unknown: [PropertyId, Unknown][] = [];
  for (const property of asked) {
    const verdict = verdicts[property];
    if (verdict.verdict === 'unknown') unknown.push([property, verdict]);
    if (verdict.verdict !== 'violated') continue;
    const counts = everyViolation(verdict).find(({ blame }) => failOn.includes(blame));
    if (counts !== undefined) violated.push([property, counts]);
  }
  return { violated, unknown };
}

function sentence(asked: readonly PropertyId[], violated: Findings['violated']): string {
  const found = violated.map(([property, { blame }]) => `${property} is violated, blame ${blame}`).join('; ');
  return asked.length === 1 ? `expected ${asked[0]} to hold: ${found}` : `expected all to hold: ${found}`;
}

function unknownSentence(unknown: Findings['unknown'], history: History): string {
  const reasons = unknown.map(([property, { reason }]) => `${property} is unknown: ${reason}`).join('; ');
  return `${reasons} (${whichRun(history)}): a run that can't tell is no evidence; { orUnknown: true } lets it pass`;
}

function whichRun({ header: { scenario } }: History): string {
  return `${scenario.id}, lock ${scenario.lock.name}, seed ${scenario.seed}`;
}

function historyOf(received: unknown): History {
  if (received instanceof Promise)
    throw new TypeError('toHold wants a history, not the promise of one: expect(await runScenario(...))');
  const { header, events } = (received ?? {}) as Partial<History>;
  if (header?.format !== 'lockpick/history@1' || !Array.isArray(events))
    throw new TypeError('toHold wants a history: what runScenario(...) resolves with');
  return received as History;
}
