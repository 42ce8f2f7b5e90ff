/** A lock put to the test in a fixed number of runs: what others stumbled over, then scenarios that nobody wrote. */
import { judge } from '../../../properties/judge.js';
import { missingGoals } from '../../../properties/search/hunt/goals.js';
import { Hunt, type RawFinding } from '../../../properties/search/hunt/hunt.js';
import type { HuntRange } from '../../../properties/search/hunt/range.js';
import { kindsOfSpec, type HuntSpec } from '../../../properties/search/hunt/spec.js';
import { everyViolation, type Blame } from '../../../properties/verdict.js';
import { CATALOGUE } from '../../../sim/catalogue/index.js';
import { digest } from '../../../sim/history/digest.js';
import type { LoadedLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { parseScenario, ScenarioError } from '../../../sim/scenario/parse.js';
import { PROPERTY_IDS, type PropertyId, type Scenario } from '../../../sim/scenario/schema.js';
import { applySets } from '../../../sim/scenario/set-path.js';
import { compareWithExpectation } from '../../expectation.js';
import { confirm, misfit, violationsOf } from '../../execute.js';
import { tryChanges } from '../../counterfactuals.js';
import type { CheckAnswer, CheckOrder, Smallest } from './messages.js';

/** A violation that counts, in the scenario that shows it best so far. */
interface Candidate {
  readonly name: string;
  readonly scenario: Scenario;
  readonly property: PropertyId;
  readonly blame: Blame;
}

/** So many findings of the hunt are made small: each may take two thousand runs. */
const MOST_MINIMISED = 3;

/**
 * Rejects with HuntRefused for what the lock could never show, and with a CommandError where the same run comes out otherwise a
 * second time.
 */
export async function check(order: CheckOrder, lock: LoadedLock): Promise<CheckAnswer> {
  const hunted = await hunt(order, lock);
  const rows = await playRows(order, lock);
  const candidates = [...rows.found, ...hunted.found];
  const { range } = hunted;
  return {
    rows: rows.played,
    unknownBecause: rows.unknownBecause,
    runs: range.runs,
    events: range.events,
    coverage: range.coverage,
    missing: missingGoals(order.spec, range.coverage),
    findings: [...rows.found.map(({ name }) => name), ...hunted.names],
    smallest: await smallestOf(candidates, lock),
  };
}

interface Hunted {
  readonly range: HuntRange;
  readonly names: readonly string[];
  readonly found: readonly Candidate[];
}

async function hunt(order: CheckOrder, lock: LoadedLock): Promise<Hunted> {
  try {
    return await huntOnce(order, order.spec, lock);
  } catch (error) {
    if ((error as Error).name !== 'ReuseMismatch') throw error;
    return huntOnce(order, { ...order.spec, reuse: false }, lock);
  }
}

async function huntOnce({ runs, failOn }: CheckOrder, spec: HuntSpec, lock: LoadedLock): Promise<Hunted> {
  const hunting = new Hunt(spec, lock);
  const range = await hunting.range(0, runs);
  const raws = range.findings.filter(({ blame }) => failOn.includes(blame));
  const found: Candidate[] = [];
  for (const raw of raws.slice(0, MOST_MINIMISED)) {
    const finding = await hunting.minimise(raw);
    if (finding === null) throw notAgain(raw, spec);
    const { property, blame, scenario } = finding;
    found.push({ name: nameOf(raw), scenario: parseScenario(scenario), property, blame });
  }
  return { range, names: raws.map(nameOf), found };
}

function nameOf({ property, blame, cause, run }: RawFinding): string {
  return `${property}, blame ${blame} (${cause}, run ${run})`;
}

/** With instances that were kept that may be their doing; with fresh ones it is the lock's. */
function notAgain({ property, run }: RawFinding, { reuse }: HuntSpec): Error {
  const error = new Error(
    `${property} of run ${run} does not show a second time: the lock is not deterministic`,
  );
  return reuse ? Object.assign(error, { name: 'ReuseMismatch' }) : error;
}

interface Rows {
  readonly played: number;
  readonly unknownBecause: string | null;
  readonly found: readonly Candidate[];
}

/** Plays the rows that the lock and the assumption have room for. */
async function playRows({ spec, failOn }: CheckOrder, lock: LoadedLock): Promise<Rows> {
  const found: Candidate[] = [];
  let played = 0;
  let because: string | null = null;
  for (const scenario of rowsFor(spec, lock)) {
    const history = await simulate(scenario, lock);
    const { verdicts } = judge(history);
    played++;
    const { unknownBecause, untriggered } = compareWithExpectation(history, verdicts, failOn);
    if (unknownBecause !== null || untriggered.length > 0) {
      because ??= unknownBecause;
      continue;
    }
    for (const [property, verdict] of violationsOf(verdicts)) {
      const violation = everyViolation(verdict).find(({ blame }) => failOn.includes(blame));
      if (violation === undefined || spec.properties?.includes(property) === false) continue;
      const { blame } = violation;
      found.push({ name: `${property}, blame ${blame} (${scenario.id})`, scenario, property, blame });
    }
  }
  return { played, unknownBecause: because, found };
}

function rowsFor(spec: HuntSpec, lock: LoadedLock): Scenario[] {
  return CATALOGUE.flatMap((entry) => {
    const scenario = rowFor(parseScenario(entry.scenario, entry.scenario.id), spec);
    return scenario !== null && misfit(lock, scenario) === null ? [scenario] : [];
  });
}

/** The row with this lock and these settings; null where it is another assumption's. */
function rowFor(row: Scenario, spec: HuntSpec): Scenario | null {
  // These are about a client package, which is part of the library that they are told of.
  if (row.processes.transport === 'wire') return null;
  const kinds: readonly string[] = kindsOfSpec(spec);
  const anything = spec.assume === 'everything' && spec.kinds === null;
  const inside = row.faults.length > 0 && row.faults.every(({ do: what }) => kinds.includes(what));
  // What is within a lock's own assumptions is a matter of figures, not of kinds of faults.
  if (spec.assume === 'bounded' || !(anything || inside)) return null;
  try {
    return applySets(row, [{ path: 'lock.name', value: spec.lock }, ...spec.sets]);
  } catch (error) {
    if (error instanceof ScenarioError) return null;
    throw error;
  }
}

/** Fewest faults first, among equals the weightiest property; then a row of the catalogue, which comes with a description. */
async function smallestOf(candidates: readonly Candidate[], lock: LoadedLock): Promise<Smallest | null> {
  const [smallest] = [...candidates].sort(
    (a, b) =>
      a.scenario.faults.length - b.scenario.faults.length ||
      PROPERTY_IDS.indexOf(a.property) - PROPERTY_IDS.indexOf(b.property),
  );
  if (smallest === undefined) return null;
  const { scenario, property, blame } = smallest;
  const history = await simulate(scenario, lock);
  await confirm(scenario, lock, digest(history));
  const changes = await tryChanges(history, lock, judge(history).verdicts);
  return { history, property, blame, changes };
}
