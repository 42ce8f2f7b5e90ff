/** The work that every side of the bench does: so many clients take turns at one lock on so many servers. */

export interface Load {
  readonly name: LoadName;
  readonly clients: number;
  readonly servers: number;
}
export type LoadName = '5x3' | '1x2';

export const LOADS: Readonly<Record<LoadName, Load>> = {
  '5x3': { name: '5x3', clients: 3, servers: 5 },
  '1x2': { name: '1x2', clients: 2, servers: 1 },
};

/** Figures that all loads share; milliseconds. Uniform draws include both ends. */
export const TERMS = {
  ttlMs: 1000,
  retryCount: 10,
  retryDelayMs: 200,
  retryJitterMs: 100,
  latencyMs: [1, 20],
  startMs: [0, 20],
  workMs: [0, 300],
  /** Share of the holds that stall, and for how long. */
  pauseChance: 0.05,
  pauseMs: 2000,
} as const;

/** What one measured batch did. */
export interface Tally {
  readonly runs: number;
  readonly seconds: number;
  /** Commands that reached a server, all runs together. */
  readonly commands: number;
  /** Sum of the squares of the runs' commands: how far a mean can be trusted. */
  readonly commandsSquared: number;
  /** Runs in which two clients worked under the lock at once. */
  readonly violating: number;
}

/** One side of the bench. */
export interface Contender {
  readonly name: string;
  measure(runs: number, seed: number): Promise<Tally>;
}
