/** The catalogue's inequality for a scenario, a lock and a path: what it says, where it flips, and how near a run must come. */
import type { Boundary, CatalogueEntry } from '../../../sim/catalogue/entry.js';
import { oneWayMs } from '../../../sim/catalogue/timing.js';
import { processesOf } from '../../../sim/scenario/hosts.js';
import type { Duration, PropertyId, Scenario } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';

export interface ClosedForm {
  /** The lock it was written for. */
  readonly lock: string;
  /** In the symbols of the catalogue: `P > T − (δr + s + δw)`, with `+ β` where the rival is not eager. */
  readonly text: string;
  /** The value at which the inequality becomes an equality, without β; null where it is no number in this scenario. */
  readonly flipsAt: number | null;
  /** Why it is none. */
  readonly problem: string | null;
  readonly violated: 'above' | 'below';
  /** How far off the flip of a run may be, in the unit of the path: Redis's whole milliseconds, mostly. */
  readonly within: number;
  /** β: how much later than an eager rival this one may come, at most; 0 for an eager one. In milliseconds. */
  readonly betaMs: number;
}

/** What the caller has fixed already. */
export interface BoundaryWish {
  readonly lock: string;
  readonly path?: string;
  readonly property?: PropertyId;
}

/**
 * The row's inequality that answers a question: of the lock, else of any (inequalities seldom depend on it). One that speaks of
 * the scenario as it stands comes before one that needs changes first; among those the first.
 */
export function boundaryFor(entry: CatalogueEntry, wish: BoundaryWish): Boundary | undefined {
  const fitting = entry.boundaries.filter(
    ({ path, property }) =>
      (wish.path === undefined || path === wish.path) &&
      (wish.property === undefined || property === wish.property),
  );
  const own = fitting.filter(({ lock }) => lock === wish.lock);
  const chosen = own.length > 0 ? own : fitting;
  return chosen.find(({ set }) => set === undefined) ?? chosen[0];
}

export function settingsOf({ set }: Boundary): Setting[] {
  return Object.entries(set ?? {}).map(([path, value]) => ({ path, value }));
}

/**
 * @param original the row's scenario with the boundary's settings: the one that the inequality was written for
 * @param scenario the one that is run, which may have been changed further
 */
export function closedFormOf(boundary: Boundary, original: Scenario, scenario: Scenario): ClosedForm {
  const { lock, closedForm, violated = 'above', step = 1 } = boundary;
  const betaMs = wasEager(original) ? lateness(scenario, boundary.property) : 0;
  let flipsAt: number | null = null;
  let problem: string | null = null;
  try {
    const value = boundary.flipsAt(scenario);
    if (Number.isFinite(value)) flipsAt = value;
    else problem = 'it gives no number for this scenario';
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  const sign = violated === 'above' ? '+' : '−';
  const text = betaMs === 0 ? closedForm : `${closedForm} ${sign} β`;
  return { lock, text, flipsAt, problem, violated, within: step, betaMs };
}

interface Rival {
  /** The longest from one asking to the next, after the answer to the first. */
  readonly pauseMs: number;
  readonly oneWayMs: number;
  readonly toStorageMs: number;
}

/** The contenders that catalogue rows name: all but p1. */
function rivalsOf(scenario: Scenario): Rival[] {
  return processesOf(scenario)
    .slice(1)
    .map((process) => {
      const { retryDelayMs, retryJitterMs } = {
        ...scenario.lock.options,
        ...scenario.overrides[process]?.lock?.options,
      };
      const far = (host: string): number =>
        Math.max(longest(scenario, process, host), longest(scenario, host, process));
      return {
        pauseMs: Number(retryDelayMs) + Number(retryJitterMs),
        oneWayMs: Math.max(
          ...Array.from({ length: scenario.servers.count }, (_, index) => far(`redis-${index + 1}`)),
        ),
        toStorageMs: longest(scenario, process, 'storage'),
      };
    });
}

function longest(scenario: Scenario, from: string, to: string): number {
  try {
    return oneWayMs(scenario, from, to);
  } catch {
    const own = scenario.network.links[`${from}->${to}`];
    const ofProcess =
      scenario.overrides[from]?.network?.latencyMs ?? scenario.overrides[to]?.network?.latencyMs;
    return mostMs(own ?? ofProcess ?? scenario.network.latencyMs);
  }
}

function mostMs(duration: Duration): number {
  return typeof duration === 'number' ? duration : duration[1];
}

/** Asks every millisecond over links that take no time: its wait is what a boundary's tolerance is for. */
function isEager({ pauseMs, oneWayMs: linkMs }: Rival): boolean {
  return pauseMs <= 1 && linkMs === 0;
}

function wasEager(original: Scenario): boolean {
  return rivalsOf(original).some(isEager);
}

/** The most by which the first of the rivals may be later than an eager one: its wait, the reply, its first use. */
function lateness(scenario: Scenario, property: PropertyId): number {
  const rivals = rivalsOf(scenario);
  if (rivals.length === 0 || rivals.some(isEager)) return 0;
  const uses = property === 'exclusive-use' || property === 'no-stale-write';
  return Math.min(
    ...rivals.map((rival) => 3 * rival.oneWayMs + rival.pauseMs + (uses ? rival.toStorageMs : 0)),
  );
}

/** How far a flip lies from the closed form on the violated side, in the unit of the path: late is positive. */
export function lateBy({ flipsAt, violated }: ClosedForm, found: number): number | null {
  if (flipsAt === null) return null;
  // Sums of decimals are not exact in binary.
  return Number((violated === 'above' ? found - flipsAt : flipsAt - found).toFixed(6));
}

/** A flip that the closed form explains: within its tolerance, and later by no more than β. */
export function agrees(form: ClosedForm, found: number): boolean {
  const late = lateBy(form, found);
  return late !== null && late >= -form.within && late <= form.betaMs + form.within;
}
