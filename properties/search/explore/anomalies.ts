/** What can go wrong at a decision point, as faults of a scenario: each strikes at exactly this moment. */
import type { Duration, Fault, Scenario } from '../../../sim/scenario/schema.js';
import { triggerOf, type Point } from './points.js';
import { ANOMALY_KINDS, type AnomalyKind } from './spec.js';

/** What anomalies depend on, beside their moment. */
export interface AnomalyPlan {
  readonly kinds: ReadonlySet<AnomalyKind>;
  /** How long pauses, slow messages and holds last: half a ttl, a ttl and what a rival needs beyond it, one and a half. */
  readonly spansMs: readonly number[];
  /** When what crashed is back: before a lease that began then ends, and after. */
  readonly restartsMs: readonly number[];
  /** How far clocks step, forward and back. */
  readonly stepsMs: readonly number[];
  readonly replicas: boolean;
  /** A crash takes what was not synced; null: servers keep nothing anyway. */
  readonly power: boolean;
}

export function planAnomalies(scenario: Scenario, kinds: readonly AnomalyKind[] | null): AnomalyPlan {
  const { ttlMs } = scenario.lock;
  const half = round(ttlMs / 2);
  const long = round(ttlMs * 1.5);
  const spans = [half, round(ttlMs + rivalNeedMs(scenario)), long];
  return {
    kinds: new Set(kinds ?? ANOMALY_KINDS),
    spansMs: [...new Set(spans)].sort((a, b) => a - b),
    restartsMs: [half, long],
    stepsMs: [half, -half, long, -long],
    replicas: scenario.servers.replicas > 0,
    power: scenario.servers.persistence !== 'none',
  };
}

/** How long the slowest rival takes, once the lock is free, to ask, hear of its grant and reach the storage; and a millisecond. */
function rivalNeedMs({ network, overrides, lock }: Scenario): number {
  let latencyMs = 0;
  let retryMs = lock.options.retryDelayMs + lock.options.retryJitterMs;
  const links = [network.latencyMs, ...Object.values(network.links)];
  for (const override of Object.values(overrides)) {
    if (override.network?.latencyMs !== undefined) links.push(override.network.latencyMs);
    const { retryDelayMs, retryJitterMs } = { ...lock.options, ...override.lock?.options };
    retryMs = Math.max(retryMs, Number(retryDelayMs) + Number(retryJitterMs));
  }
  for (const link of links) latencyMs = Math.max(latencyMs, longest(link));
  return retryMs + 3 * latencyMs + 1;
}

function longest(duration: Duration): number {
  return typeof duration === 'number' ? duration : duration[1];
}

/** Scenarios carry whole microseconds. */
function round(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/**
 * The anomalies of a point, the plainest first. Each kind strikes only at the points between which it makes a difference:
 * - a pause of a process at all of its own points; of a server after each command;
 * - a crash of a process after each message it sends (what it only reads is gone with it); of a server after each command, before
 *   the reply (which a crash after the reply left would lose as well);
 * - a step of a process's wall clock after it was read; of a server's after each command;
 * - a slow message is that of the point; a hold keeps back what follows it on its link.
 */
export function anomaliesAt(point: Point, plan: AnomalyPlan): readonly Fault[] {
  const { process, server } = point;
  const at = new Placement(point, plan);
  switch (point.event) {
    case 'sent':
    case 'used':
      at.pause(process);
      at.delay();
      at.hold(process, server ?? 'storage');
      at.crash(process, false);
      break;
    case 'replied':
      at.delay();
      at.hold(server!, process);
      break;
    case 'delivered':
    case 'timer':
      at.pause(process);
      break;
    case 'clock-read':
      at.pause(process);
      if (point.command === 'WALL') at.stepClock(process);
      break;
    case 'applied':
      at.pause(server!);
      at.crash(server!, plan.power);
      at.stepClock(server!);
      at.promote(server!);
  }
  return at.faults;
}

class Placement {
  readonly faults: Fault[] = [];
  private readonly on: Fault['on'];

  constructor(
    point: Point,
    private readonly plan: AnomalyPlan,
  ) {
    this.on = triggerOf(point);
  }

  pause(host: string): void {
    const { plan, on } = this;
    if (!plan.kinds.has('pause')) return;
    for (const forMs of plan.spansMs) this.faults.push({ on, do: 'pause', host, forMs });
  }

  delay(): void {
    const { plan, on } = this;
    if (!plan.kinds.has('delay')) return;
    for (const byMs of plan.spansMs) this.faults.push({ on, do: 'delay', byMs });
  }

  hold(from: string, to: string): void {
    const { plan, on } = this;
    if (!plan.kinds.has('hold')) return;
    for (const forMs of plan.spansMs) this.faults.push({ on, do: 'hold', from, to, forMs });
  }

  crash(host: string, power: boolean): void {
    const { plan, on } = this;
    if (!plan.kinds.has('crash')) return;
    for (const restartAfterMs of plan.restartsMs)
      this.faults.push({ on, do: 'crash', host, power, restartAfterMs });
  }

  stepClock(host: string): void {
    const { plan, on } = this;
    if (!plan.kinds.has('step-clock')) return;
    for (const byMs of plan.stepsMs) this.faults.push({ on, do: 'step-clock', host, byMs });
  }

  promote(node: string): void {
    const { plan, on } = this;
    if (!plan.kinds.has('promote') || !plan.replicas) return;
    this.faults.push({ on, do: 'promote', host: node.replace(/-replica-\d+$/, '') });
  }
}
