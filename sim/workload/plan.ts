/** What one process does, in whole microseconds: the scenario's workload with the process's overrides applied. */
import type { DurationUs } from '../network/link.js';
import type { ClientOptions } from '../transport/direct/connection.js';
import type { Duration, Scenario } from '../scenario/schema.js';

export interface ProcessPlan {
  readonly name: string;
  readonly tasks: number;
  /** Resources in the order in which they are asked for: one a round, or all of them nested. */
  readonly order: readonly string[];
  readonly nested: boolean;
  readonly rounds: number;
  readonly startUs: DurationUs;
  readonly workUs: DurationUs;
  readonly steps: number;
  readonly thinkUs: DurationUs;
  readonly discipline: Scenario['workload']['discipline'];
  readonly extend: Scenario['workload']['extend'];
  readonly withdrawAfterUs: number | null;
  /** The work of a section ends with an error of its own. */
  readonly workFails: boolean;
  readonly ttlMs: number;
  readonly permits: number;
  readonly lockOptions: Readonly<Record<string, unknown>>;
  readonly client: ClientOptions;
}

export function toUs(ms: number): number {
  return Math.round(ms * 1000);
}

export function durationUs(duration: Duration): DurationUs {
  return typeof duration === 'number'
    ? [toUs(duration), toUs(duration)]
    : [toUs(duration[0]), toUs(duration[1])];
}

export function planProcess(scenario: Scenario, name: string): ProcessPlan {
  const override = scenario.overrides[name];
  const workload = { ...scenario.workload, ...defined(override?.workload) };
  return {
    name,
    tasks: scenario.processes.tasks,
    order: workload.order ?? workload.resources,
    nested: workload.nested,
    rounds: workload.rounds,
    startUs: durationUs(workload.startMs),
    workUs: durationUs(workload.workMs),
    steps: workload.steps,
    thinkUs: durationUs(workload.thinkMs),
    discipline: workload.discipline,
    extend: workload.extend,
    withdrawAfterUs: workload.withdrawAfterMs === undefined ? null : toUs(workload.withdrawAfterMs),
    workFails: workload.workFails === true,
    ttlMs: override?.lock?.ttlMs ?? scenario.lock.ttlMs,
    permits: scenario.lock.permits,
    lockOptions: Object.freeze({ ...scenario.lock.options, ...override?.lock?.options }),
    client: { ...scenario.processes.client, ...defined(override?.client) },
  };
}

/** Without the members that are undefined: zod fills optional members of a partial with undefined. */
function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, member]) => member !== undefined),
  ) as Partial<T>;
}
