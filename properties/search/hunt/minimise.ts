/** A violation made small: plainer figures first, then as few faults as it takes. */
import type * as fc from 'fast-check';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';

/** Whether the very violation still shows. */
export type Shows = (scenario: ScenarioInput) => boolean;

/** So many runs a finding is worth at most. */
const MOST_RUNS = 1200;

/**
 * Shrinks with the arbitrary's own steps, each kept only while the violation shows, leaves nothing of it to chance, and then takes faults
 * away one by one until none can go. Yields after every run. Null: the violation does not show to begin with.
 */
export function* minimising(
  scenarios: fc.Arbitrary<ScenarioInput>,
  found: fc.Value<ScenarioInput>,
  shows: Shows,
): Generator<void, ScenarioInput | null> {
  if (!shows(found.value)) return null;
  yield;
  const shrunk = yield* shrinking(scenarios, found, shows);
  const certain = yield* withoutChance(shrunk, shows);
  return yield* withoutFaults(certain, shows);
}

function* shrinking(
  scenarios: fc.Arbitrary<ScenarioInput>,
  found: fc.Value<ScenarioInput>,
  shows: Shows,
): Generator<void, ScenarioInput> {
  let least = found;
  let runs = 0;
  for (let smaller: fc.Value<ScenarioInput> | null = found; smaller !== null;) {
    smaller = null;
    for (const candidate of scenarios.shrink(least.value_, least.context)) {
      if (runs++ >= MOST_RUNS) return least.value;
      const kept = shows(candidate.value);
      yield;
      if (!kept) continue;
      least = smaller = candidate;
      break;
    }
  }
  return least.value;
}

/** Moments are drawn with a chance, for they may never come; those that did come need none. */
function* withoutChance(scenario: ScenarioInput, shows: Shows): Generator<void, ScenarioInput> {
  const faults = scenario.faults?.map((fault) => {
    if (fault.on === undefined) return fault;
    const { chance: _, ...on } = fault.on;
    return { ...fault, on };
  });
  const certain = { ...scenario, ...(faults === undefined ? {} : { faults }) };
  const kept = shows(certain);
  yield;
  return kept ? certain : scenario;
}

/** 1-minimal: without any single one of the faults that are left the violation is gone. */
function* withoutFaults(scenario: ScenarioInput, shows: Shows): Generator<void, ScenarioInput> {
  let least = scenario;
  for (let index = 0; index < (least.faults?.length ?? 0);) {
    const fewer = { ...least, faults: least.faults!.filter((_, other) => other !== index) };
    const kept = shows(fewer);
    yield;
    if (!kept) index++;
    else {
      least = fewer;
      index = 0;
    }
  }
  return least;
}
