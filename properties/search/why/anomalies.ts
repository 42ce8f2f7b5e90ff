/** What is out of the ordinary in a scenario: its faults, clocks that are wrong from the start, networks that lose. */
import type { Fault, Scenario } from '../../../sim/scenario/schema.js';
import type { Setting } from '../../../sim/scenario/set-path.js';

export interface Anomaly {
  /** Path of it in the scenario: `faults.0`, `clocks.redis-1`, `network.loss`. */
  readonly path: string;
  /** In words: `pause of p1`. */
  readonly what: string;
  /** Index in the fault schedule; null for what is no fault. */
  readonly fault: number | null;
}

export function anomaliesOf(scenario: Scenario): Anomaly[] {
  const { faults, clocks, network } = scenario;
  const wrong = Object.entries(clocks).flatMap(([host, clock]): Anomaly[] => {
    if (typeof clock === 'number' || (clock.driftPpm === 0 && clock.offsetMs === 0)) return [];
    const parts = [
      ...(clock.offsetMs === 0 ? [] : [`off by ${clock.offsetMs} ms`]),
      ...(clock.driftPpm === 0
        ? []
        : [`${clock.driftPpm > 0 ? 'fast' : 'slow'} by ${Math.abs(clock.driftPpm)} ppm`]),
    ];
    return [{ path: `clocks.${host}`, what: `clock of ${host} (${parts.join(', ')})`, fault: null }];
  });
  const texts = faults.map(faultText);
  return [
    ...faults.map((_, index) => ({ path: `faults.${index}`, what: toldApart(texts, index), fault: index })),
    ...wrong,
    ...(network.loss > 0
      ? [{ path: 'network.loss', what: `loss of segments (${network.loss})`, fault: null }]
      : []),
  ];
}

/** Faults that read alike are told apart by their place. */
function toldApart(texts: readonly string[], index: number): string {
  const text = texts[index]!;
  return texts.filter((other) => other === text).length === 1 ? text : `${text} (faults.${index})`;
}

/** The changes that leave some anomalies out. */
export function without(scenario: Scenario, left: readonly Anomaly[]): Setting[] {
  const faults = new Set(left.flatMap(({ fault }) => (fault === null ? [] : [fault])));
  const settings: Setting[] = [];
  if (faults.size > 0)
    settings.push({ path: 'faults', value: scenario.faults.filter((_, index) => !faults.has(index)) });
  for (const { path, fault } of left) {
    if (fault !== null) continue;
    settings.push(
      path === 'network.loss' ? { path, value: 0 } : { path, value: { offsetMs: 0, driftPpm: 0 } },
    );
  }
  return settings;
}

export function faultText(fault: Fault): string {
  if ('from' in fault)
    return `${fault.do} ${[fault.from].flat().join(',')} -> ${[fault.to].flat().join(',')}`;
  const host = ('host' in fault ? fault.host : undefined) ?? fault.on?.process ?? fault.on?.server;
  return host === undefined ? fault.do : `${fault.do} of ${host}`;
}
