/** Runs a scenario: from data, a seed and a lock to a history. */
import type { History, HistoryHeader } from './history/events.js';
import { Recorder } from './history/recorder.js';
import type { ProcessContext } from './host/process.js';
import { FreshInstances, type Instances } from './instances.js';
import { canDrainSynchronously } from './kernel/drain.js';
import { Kernel, type StopReason } from './kernel/kernel.js';
import { inMacrotask } from './kernel/macrotask.js';
import type { LoadedLock } from './load.js';
import { compile, type Plan } from './plan.js';
import { prepareEngine } from './redis/engines.js';
import type { Scenario } from './scenario/schema.js';
import { withGuard } from './sealed/guard.js';
import { withRejections } from './sealed/rejections.js';
import { lockFor } from './transport/wire/program.js';
import { VERSION } from './version.js';
import { World, type Onlook } from './world.js';

export interface RunOptions extends Onlook {
  /** Let the event loop turn between steps, as where there is no synchronous drain: slower, and the same history. */
  readonly byTurns?: boolean;
  /** Called around the synchronous part of the run: a watchdog for code that never gives way. */
  readonly around?: <T>(run: () => T) => T;
}

/** One run, with fresh instances, from a macrotask of its own. */
export async function simulate(
  scenario: Scenario,
  given: LoadedLock,
  options: RunOptions = {},
): Promise<History> {
  const lock = await lockFor(scenario, given);
  const plan = compile(scenario);
  const { engine } = scenario.servers;
  await prepareEngine(engine);
  const instances = new FreshInstances(lock.bundle);
  const { around = (run) => run() } = options;
  const history = await inMacrotask(() =>
    options.byTurns !== true && canDrainSynchronously()
      ? around(() => runGuarded(plan, scenario.seed, lock, instances, options))
      : null,
  );
  if (history === null && engine !== 'native') {
    throw new Error(`the engine ${engine} needs the synchronous drain of Node`);
  }
  if (history === null && scenario.processes.transport === 'wire') {
    throw new Error('the wire needs the synchronous drain of Node');
  }
  return history ?? simulateByTurns(plan, scenario.seed, lock, instances, options);
}

function runGuarded(
  plan: Plan,
  seed: number,
  lock: LoadedLock,
  instances: Instances,
  options: RunOptions,
): History {
  return guarded((charges) => runPlan(plan, seed, lock, instances, options, charges));
}

/**
 * Whom unhandled rejections and escapes are charged to: the process of the current run whose step is running. A class
 * with a field for the run: closures stored anew for each run make V8's scavenger keep whole runs alive.
 */
export class Charges {
  context: ProcessContext | null = null;
  /** Kernel events of all runs so far. */
  executed = 0;

  rejected(reason: unknown): void {
    this.context?.running?.trouble('unhandled-rejection', reason);
  }

  escaped(error: Error): void {
    this.context?.running?.escaped(error);
  }
}

/** Swaps the real globals for tripwires and takes over unhandled rejections while `run` runs. Macrotasks only. */
export function guarded<T>(run: (charges: Charges) => T): T {
  const charges = new Charges();
  return withRejections(
    (reason) => charges.rejected(reason),
    () =>
      withGuard(
        () => withoutStacks(() => run(charges)),
        (error) => charges.escaped(error),
      ),
  );
}

/**
 * Errors of a run have their first line only: frames of the host beneath the program's name its files and lines, and a program may
 * send a stack to a server. They would also cost more than all the rest of an error.
 */
function withoutStacks<T>(run: () => T): T {
  // The guard restores it, as it does what the program makes of it.
  Error.stackTraceLimit = 0;
  return run();
}

/** One run inside {@link guarded}. */
export function runPlan(
  plan: Plan,
  seed: number,
  lock: LoadedLock,
  instances: Instances,
  options: RunOptions,
  charges: Charges,
): History {
  const recorder = new Recorder();
  const kernel = new Kernel(true);
  const world = new World(plan, seed, kernel, recorder, instances, options);
  charges.context = world.context;
  world.start();
  const reason = kernel.run(plan);
  charges.executed += kernel.executed;
  world.retire(instances, reason);
  return finish(plan, seed, lock, world, recorder, reason);
}

/** The same without a synchronous drain: the event loop turns once or more for each step. */
async function simulateByTurns(
  plan: Plan,
  seed: number,
  lock: LoadedLock,
  instances: Instances,
  options: RunOptions,
): Promise<History> {
  const recorder = new Recorder();
  const kernel = new Kernel(false);
  const world = new World(plan, seed, kernel, recorder, instances, options);
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const { stackTraceLimit } = Error;
  let reason: StopReason;
  try {
    reason = await withoutStacks(() => {
      world.start();
      return kernel.runAsync(plan, turn);
    });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return finish(plan, seed, lock, world, recorder, reason);
}

function finish(
  plan: Plan,
  seed: number,
  lock: LoadedLock,
  world: World,
  recorder: Recorder,
  reason: StopReason,
): History {
  const { kernel, moments } = world.context;
  if (reason === 'done') world.recordPending();
  const untriggered = moments.untriggered();
  recorder.add({ i: 0, tUs: kernel.nowUs, host: 'world', kind: 'end', reason, untriggered });
  return { header: header(plan, seed, lock, recorder), events: recorder.events };
}

function header(plan: Plan, seed: number, lock: LoadedLock, recorder: Recorder): HistoryHeader {
  const { scenario } = plan;
  let claims: HistoryHeader['lock']['claims'] = null;
  for (const event of recorder.events) {
    if (event.kind !== 'acquire' || event.phase !== 'ok') continue;
    const { claim, signals, fence, renews } = event;
    claims = { validity: claim === null ? null : claim.clock, signals, fence: fence !== null, renews };
    break;
  }
  return {
    format: 'lockpick/history@1',
    scenario: scenario.seed === seed ? scenario : { ...scenario, seed },
    lock: { name: lock.name, claims, bundle: lock.bundle.hash },
    versions: { lockpick: VERSION },
  };
}
