/** `lockpick/margin@1`. Fields may be added, not renamed. */
import type { ClosedForm } from '../properties/search/margin/closed-form.js';
import type { Flip, Sample } from '../properties/search/margin/flips.js';
import type { Margin } from '../properties/search/margin/margin.js';
import type { AskedMargin } from '../properties/search/margin/question.js';
import { showSetting, type Setting } from '../sim/scenario/set-path.js';
import type { DrawnMap } from './margin-map.js';

export function marginDocument(
  asked: AskedMargin,
  found: Margin,
  extra: {
    readonly late: number | null;
    readonly commands: { readonly below: string; readonly above: string } | null;
    readonly map: DrawnMap | null;
    readonly interrupted: boolean;
    readonly settings: readonly Setting[];
  },
): object {
  const { scenario, parameter, property, range, assumed, closedForm } = asked;
  return {
    format: 'lockpick/margin@1',
    scenario: scenario.id,
    lock: scenario.lock.name,
    seed: scenario.seed,
    settings: extra.settings.map(showSetting),
    assumed: assumed.map(showSetting),
    property,
    parameter: parameter.path,
    from: range.from,
    to: range.to,
    flipsAt: found.flipsAt,
    unit: parameter.unit,
    below: found.main === null ? null : sampleDocument(found.main.below),
    above: found.main === null ? null : sampleDocument(found.main.above),
    closedForm: closedForm?.text ?? null,
    ...closedFormFields(closedForm),
    lateBy: extra.late,
    agrees: found.agrees,
    flips: found.flips.map(flipDocument),
    scan: found.scan.map(sampleDocument),
    current: parameter.current,
    runs: found.runs,
    complete: found.complete && !extra.interrupted,
    commands: extra.commands,
    grid: extra.map?.document ?? null,
  };
}

function closedFormFields(form: ClosedForm | null): object {
  return {
    closedFormFlipsAt: form?.flipsAt ?? null,
    closedFormWithin: form?.within ?? null,
    closedFormLock: form?.lock ?? null,
    closedFormProblem: form?.problem ?? null,
    betaMs: form?.betaMs ?? null,
  };
}

function flipDocument({ below, above }: Flip): object {
  return { below: sampleDocument(below), above: sampleDocument(above) };
}

function sampleDocument({ value, verdict, blame, reason }: Sample): object {
  return { value, verdict, blame, reason };
}
