/**
 * Fills in the defaults of a scenario that is known to be valid: what a generator made needs no proof. A test holds it against
 * {@link parseScenario}, which takes twenty times as long.
 */
import { parseScenario } from './parse.js';
import type { Fault, Scenario, ScenarioInput, Trigger } from './schema.js';

type FaultInput = NonNullable<ScenarioInput['faults']>[number];

/** The scenario that says nothing: every default there is. */
let plain: Scenario | null = null;

interface OptionalDefaults {
  readonly sentinels: NonNullable<Scenario['servers']['sentinels']>;
  readonly cluster: NonNullable<Scenario['servers']['cluster']>;
  readonly extend: NonNullable<Scenario['workload']['extend']>;
}
let optional: OptionalDefaults | null = null;

/** @param input must be valid: nothing is checked */
export function fillScenario(input: ScenarioInput): Scenario {
  plain ??= parseScenario({ id: 'plain' });
  const { lock, servers, processes, network, clocks, workload, faults, overrides } = input;
  // Overrides have no defaults of their own, and few scenarios have any.
  if (overrides !== undefined && Object.keys(overrides).length > 0) return parseScenario(input);
  return {
    ...plain,
    ...input,
    lock: { ...plain.lock, ...lock, options: { ...plain.lock.options, ...lock?.options } },
    servers: filledServers(plain, servers),
    processes: {
      ...plain.processes,
      ...processes,
      client: { ...plain.processes.client, ...processes?.client },
    },
    network: { ...plain.network, ...network },
    clocks: filledClocks(plain, clocks),
    workload: filledWorkload(plain, workload),
    overrides: plain.overrides,
    resource: { ...plain.resource, ...input.resource },
    faults: faults === undefined ? plain.faults : faults.map(filledFault),
    limits: { ...plain.limits, ...input.limits },
    bounds: { ...plain.bounds, ...input.bounds },
  } as Scenario;
}

/** Defaults of what is left out as a whole unless something of it is given. */
function optionalDefaults(): OptionalDefaults {
  if (optional !== null) return optional;
  const watched = parseScenario({
    id: 'plain',
    servers: { replicas: 1, sentinels: {} },
    workload: { extend: {} },
  });
  const clustered = parseScenario({ id: 'plain', servers: { count: 3, cluster: {} } });
  return (optional = {
    sentinels: watched.servers.sentinels!,
    cluster: clustered.servers.cluster!,
    extend: watched.workload.extend!,
  });
}

function filledServers(defaults: Scenario, given: ScenarioInput['servers']): Scenario['servers'] {
  const servers = { ...defaults.servers, ...given } as Scenario['servers'];
  if (given?.sentinels !== undefined)
    servers.sentinels = { ...optionalDefaults().sentinels, ...given.sentinels };
  if (given?.cluster !== undefined) servers.cluster = { ...optionalDefaults().cluster, ...given.cluster };
  return servers;
}

function filledWorkload(defaults: Scenario, given: ScenarioInput['workload']): Scenario['workload'] {
  const workload = { ...defaults.workload, ...given } as Scenario['workload'];
  if (given?.extend !== undefined) workload.extend = { ...optionalDefaults().extend, ...given.extend };
  return workload;
}

function filledClocks(defaults: Scenario, given: ScenarioInput['clocks']): Scenario['clocks'] {
  if (given === undefined) return defaults.clocks;
  const clocks: Record<string, unknown> = { ...defaults.clocks };
  for (const [host, clock] of Object.entries(given as Record<string, unknown>))
    clocks[host] =
      typeof clock === 'object' && clock !== null ? { offsetMs: 0, driftPpm: 0, ...clock } : clock;
  return clocks as Scenario['clocks'];
}

function filledFault(input: FaultInput): Fault {
  const fault = { ...input } as Record<string, unknown>;
  if (input.on !== undefined) fault['on'] = filledTrigger(input.on);
  if (input.do === 'crash') fault['power'] = input.power ?? false;
  if (input.do === 'partition' || input.do === 'heal') fault['oneWay'] = input.oneWay ?? false;
  return fault as Fault;
}

function filledTrigger(on: NonNullable<FaultInput['on']>): Trigger {
  return { nth: 1, every: false, chance: 1, afterMs: 0, ...on };
}
