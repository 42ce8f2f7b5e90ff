/** What the rows share in which p1 reaches a bare majority: servers 1–3 of five, so that q = 3 and one forgetful server is enough. */
import type { ScenarioInput } from '../../scenario/schema.js';
import { LINK_MS } from '../timing.js';
import { broken, HONEST } from './verdicts.js';

export const BARE_MAJORITY = {
  seed: 1,
  lock: { name: 'redlock', ttlMs: 1000 },
  // What was held back breaks its connection in the end, and the run is over.
  network: { latencyMs: LINK_MS, giveUpMs: 3000 },
  workload: { startMs: 1, workMs: 782.5 },
  // The library waits for every server; a command that is given up stands for its missing time-out.
  processes: { client: { commandTimeoutMs: 30 } },
  bounds: { orphanMs: 100 },
} as const satisfies Partial<ScenarioInput>;

/** The two servers that p1 does not reach. */
export const UNREACHED: NonNullable<ScenarioInput['faults']>[number] = {
  atMs: 0,
  do: 'partition',
  from: 'p1',
  to: ['redis-4', 'redis-5'],
};

/** A vote was forgotten, and with it the counter of tokens: two holders, and the same token again. */
export const FORGOTTEN: NonNullable<ScenarioInput['expect']> = {
  redlock: { ...broken('infrastructure'), ...HONEST },
  'redlock-fenced': {
    ...broken('infrastructure'),
    ...HONEST,
    'fencing-order': 'violated/infrastructure',
  },
  'redlock@4.2.0': { ...broken('infrastructure'), ...HONEST },
};
