/** The words of histories by hand: what a history is of, what a grant claims, and the names of servers and nodes. */
import type { ClockName } from '../../src/contract.js';
import type { ScenarioInput } from '../../sim/scenario/schema.js';

export interface Setting {
  readonly servers?: number;
  /** Replicas of each server. */
  readonly replicas?: number;
  readonly ttlMs?: number;
  readonly latencyMs?: number;
  readonly scenario?: Partial<ScenarioInput>;
  readonly clocks?: Readonly<Record<string, { offsetMs?: number; driftPpm?: number }>>;
}

export interface GrantOptions {
  /** Reading of the claim's clock at which the claim ends; left out: the lock claims no end. */
  readonly until?: number;
  readonly clock?: ClockName;
  readonly fence?: number;
  readonly signals?: boolean;
  readonly renews?: boolean;
  readonly step?: number;
}

export interface HeldOptions extends GrantOptions {
  readonly ask: number;
  readonly grant: number;
  /** Servers that gave their vote; all of them by default. */
  readonly servers?: readonly number[];
  /** When the SET was applied, on every server. */
  readonly votes: number;
  /** TTL of the keys; null: none. */
  readonly ttlMs?: number | null;
  readonly release?: number;
  /** When the release was applied, on every server. */
  readonly gone?: number;
  readonly resource?: string;
}

export const server = (number: number): string => `redis-${number}`;
export const replica = (number: number, of = 1): string => `redis-${of}-replica-${number}`;

/** A server's number, which stands for the node that bears its name, or a node's name. */
export type Node = number | string;
export const nodeName = (node: Node): string => (typeof node === 'number' ? server(node) : node);
