/**
 * lockpick's side of the bench: every run is simulated, its history recorded and judged by all properties, in one
 * thread. A second process repeats one run in 64 with fresh instances meanwhile.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { judge } from '../../properties/judge.js';
import { Campaign } from '../../sim/campaign.js';
import type { History } from '../../sim/history/events.js';
import { loadLock } from '../../sim/load.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import type { ScenarioInput } from '../../sim/scenario/schema.js';
import { ProcessVerifier } from '../../sim/reuse/process-verifier.js';
import { lockFor } from '../../sim/transport/wire/program.js';
import { packageRoot, resolveLock } from '../../src/resolve.js';
import type { Contender, Load, Tally } from './loads.js';
import { benchScenario } from './scenario.js';

export interface LockpickContender extends Contender {
  /** Events of all runs so far, those included that were repeated to check the reuse of instances. */
  eventsExecuted(): number;
  /** Waits for the repeated runs; a run that came out otherwise is an error. */
  finish(): Promise<void>;
}

/**
 * @param lockName as `--lock` takes it
 * @param repeat where one run in 64 is repeated: in this process, or in one beside it
 * @param processes as the scenario has them, but for their number
 */
export async function lockpick(
  load: Load,
  lockName: string,
  repeat: 'here' | 'beside' = 'beside',
  processes: ScenarioInput['processes'] = {},
): Promise<LockpickContender> {
  const scenario = parseScenario(benchScenario(load, lockName, processes));
  const lock = await lockFor(scenario, await loadLock(resolveLock(lockName)));
  const verifier = repeat === 'beside' ? new ProcessVerifier(verifyProcess(), scenario, lock) : undefined;
  const campaign = new Campaign(scenario, lock, { verifier });
  return {
    name: 'lockpick',
    eventsExecuted: () => campaign.eventsExecuted,
    finish: () => campaign.finish(),
    measure: (runs, seed) => measureRuns(campaign, runs, seed),
  };
}

/** The built entry point of the process that repeats runs. */
function verifyProcess(): URL {
  return pathToFileURL(path.join(packageRoot(), 'dist', 'sim', 'reuse', 'verify-process.js'));
}

async function measureRuns(campaign: Campaign, runs: number, seed: number): Promise<Tally> {
  let commands = 0;
  let commandsSquared = 0;
  let violating = 0;
  const startMs = performance.now();
  await campaign.runAll(seedsFrom(seed, runs), (history) => {
    judge(history);
    const { count, twoInside } = workOf(history);
    if (twoInside) violating++;
    commands += count;
    commandsSquared += count * count;
  });
  const seconds = (performance.now() - startMs) / 1000;
  return { runs, seconds, commands, commandsSquared, violating };
}

function* seedsFrom(first: number, count: number): Generator<number> {
  for (let offset = 0; offset < count; offset++) yield first + offset;
}

/**
 * What the opponents count. Commands that took effect: a NOSCRIPT answer only says that the server began without
 * scripts. Two clients between their grant and their release at once: belief would not show it, since the reference
 * lock knows when its lease is over; the paused holder does not look.
 */
function workOf({ events }: History): { count: number; twoInside: boolean } {
  let count = 0;
  let inside = 0;
  let twoInside = false;
  for (const event of events) {
    const { kind } = event;
    if (kind === 'apply') {
      if (!event.reply.startsWith('-NOSCRIPT')) count++;
    } else if (kind === 'acquire') {
      if (event.phase === 'ok' && ++inside > 1) twoInside = true;
    } else if (kind === 'release' && event.phase === 'invoke') inside--;
  }
  return { count, twoInside };
}
