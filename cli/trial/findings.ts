/** What rows showed of one lock, and for each property and blame the smallest run that shows it. */
import type { Blame } from '../../properties/verdict.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import type { CellRun } from '../cells.js';
import { everyViolation } from '../../properties/verdict.js';
import { violationsOf } from '../execute.js';
import { escapeOf, lackedCommands } from '../inconclusive.js';
import type { Play, Row } from './rows.js';

/** Where a violation shows: on the wire, with the lock's own client, or with lockpick's clients only. */
export type Where = 'wire' | 'direct only';

/** One property violated with one blame, by the smallest run that shows it. Plain data. */
export interface TrialFinding {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly reason: string;
  readonly transport: Where;
  /** The row that shows it; null: the hunt found it. */
  readonly scenario: string | null;
  /** The file that replays it, where the hunt found it. */
  readonly counterexample: string | null;
  readonly command: string;
  readonly faults: number;
  /** Length of the history. */
  readonly events: number;
  /** All rows in which it shows, on either transport. */
  readonly scenarios: readonly string[];
  /** The settings of the row bring it about for every lock. */
  readonly bySettings: boolean;
  /** It counts against the lock: its own fault, not that of the row's settings, with its own client. */
  readonly counts: boolean;
}

/** One violation of a run. */
export interface Seen {
  readonly property: PropertyId;
  readonly blame: Blame;
  readonly reason: string;
  readonly events: number;
}

/** What a run shows; nothing where the program left the simulation or needs what the servers lack. */
export function seenIn({ history, verdicts }: CellRun): readonly Seen[] {
  if (escapeOf(history) !== null || lackedCommands(history) !== null) return [];
  const events = history.events.length;
  return violationsOf(verdicts).flatMap(([property, verdict]) =>
    everyViolation(verdict).map(({ blame, reason }) => ({ property, blame, reason, events })),
  );
}

/** A violation, and the row it was seen in. */
export interface Sighting extends Seen {
  readonly row: Row;
  readonly play: Play;
}

export function keyOf({ property, blame }: Pick<Seen, 'property' | 'blame'>): string {
  return `${property}/${blame}`;
}

/** By property and blame, each the smallest first. */
export function grouped(sightings: readonly Sighting[]): Map<string, Sighting[]> {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const group = groups.get(keyOf(sighting));
    if (group === undefined) groups.set(keyOf(sighting), [sighting]);
    else group.push(sighting);
  }
  for (const group of groups.values()) group.sort(bySize);
  return groups;
}

/** Rows written about this very finding before others, public reports among them first; then fewer faults, then less history. */
function bySize(a: Sighting, b: Sighting): number {
  return (
    Number(bySettings(a)) - Number(bySettings(b)) ||
    distance(a) - distance(b) ||
    a.play.scenario.faults.length - b.play.scenario.faults.length ||
    a.events - b.events
  );
}

/** What a row's settings bring about tells nothing of the lock: such a row stands last. */
export function bySettings({ row, property, blame }: Sighting): boolean {
  return blame === 'library' && row.bySettings.has(property);
}

function distance({ row, property, blame }: Sighting): number {
  if (row.expect?.[property] !== `violated/${blame}`) return 2;
  return row.reported ? 0 : 1;
}
