/**
 * What travels through a queue. A campaign is one hunt; its ranges are jobs, each decided by the campaign and its bounds alone, so
 * that one which is run twice changes nothing. Names carry the version: a worker of another lockpick never sees them.
 */
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import type { LoadedLock } from '../../sim/load.js';
import { VERSION } from '../../sim/version.js';
import type { Searched } from '../hunt/search.js';

/** Queues in which nothing waits to be run: each campaign is a job that its ranges name. */
export const CAMPAIGNS = `lockpick-${VERSION}-campaigns`;
export const RANGES = `lockpick-${VERSION}-ranges`;

export interface Campaign {
  readonly spec: HuntSpec;
  /** The lock as it was bundled where the hunt began: every worker runs the same text. */
  readonly lock: LoadedLock;
  readonly runs: number;
}

export interface RangeJob {
  readonly campaign: string;
  readonly from: number;
  readonly to: number;
}

/** What a worker says of a range. */
export type RangeAnswer =
  | { readonly searched: Searched }
  /** The error that a range ran into on any machine: of one of {@link PASSED_ON}. */
  | { readonly failed: { readonly name: string; readonly message: string } }
  /** Nobody waits for it any more. */
  | { readonly gone: true };

/** Errors that are the hunt's and not the worker's: kept instances that differ from fresh ones, settings that a scenario does not take. */
export const PASSED_ON: ReadonlySet<string> = new Set(['ReuseMismatch', 'HuntRefused']);

/**
 * Milliseconds after which the range of a worker that gave no sign of life is given to another. A worker that is merely slow
 * loses nothing by it.
 */
export function claimMs(): number {
  const given = Number(process.env['LOCKPICK_QUEUE_CLAIM_MS']);
  return Number.isFinite(given) && given >= 100 ? given : 30_000;
}
