/** A scenario in a few lines: what a property test prints of its counterexample. */
import type { ScenarioInput } from '../../sim/scenario/schema.js';

type FaultInput = NonNullable<ScenarioInput['faults']>[number];

export function scenarioText(scenario: ScenarioInput): string {
  const lines = [
    worldLine(scenario),
    workLine(scenario),
    ...(scenario.faults ?? []).map((fault) => `▼ ${faultLine(fault)}`),
    ...((scenario.faults ?? []).length === 0 ? ['no faults'] : []),
  ];
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

function worldLine({ lock, servers, processes, seed, resource }: ScenarioInput): string {
  const { count = 1, replicas = 0, sentinels, cluster } = servers ?? {};
  return [
    `lock ${lock?.name}`,
    `seed ${seed}`,
    plural(count, 'server') + (replicas > 0 ? ` with ${plural(replicas, 'replica')}` : ''),
    ...(sentinels === undefined ? [] : ['Sentinels']),
    ...(cluster === undefined ? [] : ['Redis Cluster']),
    `${plural(processes?.count ?? 2, 'process')}${(processes?.tasks ?? 1) > 1 ? ` of ${processes!.tasks} tasks` : ''}`,
    `ttl ${lock?.ttlMs ?? 1000} ms`,
    ...(resource?.fenced === true ? ['fenced storage'] : []),
  ].join(' · ');
}

function workLine({ workload, network, clocks }: ScenarioInput): string {
  const { rounds = 1, workMs, steps = 2, discipline = 'naive', resources = ['a'] } = workload ?? {};
  const skewed = Object.entries(clocks ?? {}).filter(([name]) => name !== 'driftBoundPpm');
  return [
    plural(rounds, 'round'),
    `work ${span(workMs)} ms, ${plural(steps, 'access')}, ${discipline}`,
    ...(resources.length > 1 ? [`resources ${resources.join(', ')}`] : []),
    `latency ${span(network?.latencyMs)} ms`,
    ...((network?.loss ?? 0) > 0 ? [`loss ${network!.loss}`] : []),
    ...(skewed.length === 0 ? [] : [`clocks of ${skewed.map(([host]) => host).join(', ')} differ`]),
  ].join(' · ');
}

function span(duration: unknown): string {
  return Array.isArray(duration) ? duration.join('–') : duration === undefined ? 'default' : String(duration);
}

/** `pause p1, forMs 500, when granted to p1 (the 1st)`: names and figures as the scenario writes them. */
function faultLine(fault: FaultInput): string {
  const { do: what, atMs, on, ...rest } = fault as FaultInput & Record<string, unknown>;
  const { host, from, to, ...figures } = rest;
  const where = from === undefined ? (host ?? on?.process) : `${list(from)} → ${list(to)}`;
  const told = Object.entries(figures)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? name : `${name} ${list(value)}`));
  return [`${what}${where === undefined ? '' : ` ${where}`}`, ...told, momentText(atMs, on)].join(', ');
}

function momentText(atMs: number | undefined, on: FaultInput['on']): string {
  if (on === undefined) return `at ${atMs} ms`;
  const { event, process, server, command, nth = 1, afterMs = 0 } = on;
  const of = [process, server, command].filter((word) => word !== undefined).join(' ');
  const after = afterMs > 0 ? `${afterMs} ms after` : 'at';
  return `${after} '${event}'${of === '' ? '' : ` of ${of}`}${nth === 1 ? '' : ` number ${nth}`}`;
}

function list(value: unknown): string {
  return [value].flat().join(',');
}

function plural(count: number, thing: string): string {
  if (count === 1) return `1 ${thing}`;
  return `${count} ${thing}${thing.endsWith('ss') ? 'es' : 's'}`;
}
