/** What a hunt exercised: what its faults struck, at which moments, and whether that was enough to say anything. */
import type { History } from '../../../sim/history/events.js';
import { PROPERTY_IDS, type PropertyId } from '../../../sim/scenario/schema.js';
import type { Coverage } from '../../verdict.js';

/** Sums over all runs. Plain data; keys in a fixed order. */
export interface HuntCoverage {
  readonly acquisitions: number;
  readonly contended: number;
  readonly faultsStruck: number;
  readonly faultsWhileHeld: number;
  readonly expiriesDuringWork: number;
  readonly unreplicatedFailovers: number;
  /** So often was each property evaluated. */
  readonly evaluated: Readonly<Record<PropertyId, number>>;
  /** `<kind of fault> at <moment>`: the event of its trigger, or `time`. */
  readonly struck: Readonly<Record<string, number>>;
  /** Kind of fault: so many struck while a lock was held. */
  readonly whileHeld: Readonly<Record<string, number>>;
}

export class CoverageSum {
  private readonly totals = {
    acquisitions: 0,
    contended: 0,
    faultsStruck: 0,
    faultsWhileHeld: 0,
    expiriesDuringWork: 0,
    unreplicatedFailovers: 0,
  };
  private readonly evaluated = Object.fromEntries(PROPERTY_IDS.map((id) => [id, 0])) as Record<
    PropertyId,
    number
  >;
  private readonly struck = new Map<string, number>();
  private readonly whileHeld = new Map<string, number>();

  add(history: History, coverage: Coverage): void {
    this.addTotals(coverage);
    if (coverage.faultsStruck > 0) this.addStrikes(history);
  }

  addSum(other: HuntCoverage): void {
    this.addTotals(other);
    for (const [key, count] of Object.entries(other.struck)) raise(this.struck, key, count);
    for (const [key, count] of Object.entries(other.whileHeld)) raise(this.whileHeld, key, count);
  }

  sum(): HuntCoverage {
    return {
      ...this.totals,
      evaluated: { ...this.evaluated },
      struck: inOrder(this.struck),
      whileHeld: inOrder(this.whileHeld),
    };
  }

  private addTotals(other: Coverage): void {
    const { totals, evaluated } = this;
    totals.acquisitions += other.acquisitions;
    totals.contended += other.contended;
    totals.faultsStruck += other.faultsStruck;
    totals.faultsWhileHeld += other.faultsWhileHeld;
    totals.expiriesDuringWork += other.expiriesDuringWork;
    totals.unreplicatedFailovers += other.unreplicatedFailovers;
    for (const id of PROPERTY_IDS) evaluated[id] += other.evaluated[id];
  }

  private addStrikes({ header, events }: History): void {
    const { faults } = header.scenario;
    let held = 0;
    for (const event of events) {
      if (event.kind === 'acquire') {
        if (event.phase === 'ok') held++;
      } else if (event.kind === 'release') {
        if (event.phase === 'invoke') held--;
      } else if (event.kind === 'fault') {
        const moment = faults[event.fault]?.on?.event ?? 'time';
        raise(this.struck, `${event.do} at ${moment}`, 1);
        if (held > 0) raise(this.whileHeld, event.do, 1);
      }
    }
  }
}

function raise(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function inOrder(counts: Map<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
