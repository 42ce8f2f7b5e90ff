/** The document of an exploration, `lockpick/explore@1`. Fields may be added, not renamed. */
import { ANOMALY_KINDS, type ExploreSpec } from '../../properties/search/explore/spec.js';
import type { Sort, Tally } from '../../properties/search/explore/tally.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { showSetting } from '../../sim/scenario/set-path.js';
import { VERSION } from '../../sim/version.js';
import type { Explored } from './conduct.js';
import type { KeptSchedules } from './keep.js';
import type { ExploreOptions } from './options.js';
import type { ExploreOutcome } from './outcome.js';

export interface ExploreFacts {
  readonly spec: ExploreSpec;
  readonly explored: Explored;
  readonly options: Pick<ExploreOptions, 'set' | 'failOn'>;
  readonly interrupted: boolean;
  readonly kept: KeptSchedules;
  readonly outcome: ExploreOutcome;
}

export function exploreDocument(facts: ExploreFacts): object {
  const { spec, explored, options, interrupted, kept, outcome } = facts;
  const { plan, tally, seconds, complete } = explored;
  const scenario = parseScenario(spec.scenario);
  return {
    format: 'lockpick/explore@1',
    scenario: scenario.id,
    lock: spec.lock,
    seed: scenario.seed,
    settings: options.set.map(showSetting),
    keptFaults: scenario.faults.length,
    property: spec.property,
    kinds: spec.kinds ?? ANOMALY_KINDS,
    failOn: options.failOn,
    decisionPoints: plan.decisionPoints,
    classes: plan.classes,
    anomalies: spec.anomalies,
    schedules: tally.schedules,
    violating: tally.violating,
    smallest: tally.smallest === null ? null : tally.smallest.faults.length,
    complete,
    interrupted,
    found: sortsOf(tally).map((sort) => foundDocument(sort, kept)),
    counterexample: kept.main?.files.counterexample ?? null,
    digest: kept.main?.digest ?? null,
    outcome: outcome.text,
    seconds,
    schedulesPerSecond: seconds > 0 ? tally.schedules / seconds : 0,
    reuse: spec.reuse,
    lockpick: VERSION,
  };
}

function foundDocument({ property, blame, count, first }: Sort, kept: KeptSchedules): object {
  return {
    property,
    blame,
    schedules: count,
    smallest: first.faults.length,
    faults: first.faults,
    counterexample: kept.of(first)?.files.counterexample ?? null,
  };
}

/** The smallest first; among equals in the order of their names. */
export function sortsOf({ sorts }: Tally): readonly Sort[] {
  return Object.values(sorts).sort((a, b) => a.first.faults.length - b.first.faults.length);
}
