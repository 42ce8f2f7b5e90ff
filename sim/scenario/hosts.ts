/** Which hosts a scenario's topology has, and whether everything that names a host names one of them. */
import { didYouMean } from './nearest.js';
import type { Fault, Scenario } from './schema.js';
import type { Path } from './shape.js';

export interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** The hosts of a scenario, in the order reports show them: processes, servers each with its replica, storage. */
export function hostsOf(scenario: Pick<Scenario, 'processes' | 'servers'>): string[] {
  return [...processesOf(scenario), ...serversOf(scenario), ...sentinelsOf(scenario), 'storage'];
}

export function processesOf({ processes }: Pick<Scenario, 'processes'>): string[] {
  return Array.from({ length: processes.count }, (_, index) => `p${index + 1}`);
}

export function serversOf({ servers }: Pick<Scenario, 'servers'>): string[] {
  return Array.from({ length: servers.count }, (_, index) =>
    nodeNames(`redis-${index + 1}`, servers.replicas),
  ).flat();
}

/** The nodes of one server: the first master, then its replicas. */
export function nodeNames(server: string, replicas: number): string[] {
  return [server, ...Array.from({ length: replicas }, (_, index) => `${server}-replica-${index + 1}`)];
}

export function sentinelsOf({ servers }: Pick<Scenario, 'servers'>): string[] {
  return Array.from({ length: servers.sentinels?.count ?? 0 }, (_, index) => `sentinel-${index + 1}`);
}

class Check {
  readonly problems: Problem[] = [];
  constructor(private readonly scenario: Scenario) {}

  /** Reports a host that isn't one of `known`. */
  host(path: Path, host: string, known: readonly string[], what: string): void {
    if (known.includes(host)) return;
    const message = `this scenario has no ${what} ${host}${didYouMean(host, known)}; it has ${shorten(known)}`;
    this.problems.push({ path, message });
  }

  links(): void {
    const all = hostsOf(this.scenario);
    for (const link of Object.keys(this.scenario.network.links)) {
      const path = ['network', 'links', link];
      for (const host of link.split('->')) this.host(path, host, all, 'host');
    }
  }

  clocksAndOverrides(): void {
    const all = hostsOf(this.scenario);
    for (const host of Object.keys(this.scenario.clocks))
      if (host !== 'driftBoundPpm') this.host(['clocks', host], host, all, 'host');
    const processes = processesOf(this.scenario);
    for (const host of Object.keys(this.scenario.overrides))
      this.host(['overrides', host], host, processes, 'process');
  }

  fault(fault: Fault, index: number): void {
    const all = hostsOf(this.scenario);
    const at = (name: string): Path => ['faults', index, name];
    if ('from' in fault) for (const host of [fault.from].flat()) this.host(at('from'), host, all, 'host');
    if ('to' in fault) for (const host of [fault.to].flat()) this.host(at('to'), host, all, 'host');
    if ('host' in fault && fault.host !== undefined) this.host(at('host'), fault.host, all, 'host');
    this.faultWithoutHost(fault, index);
    this.promotion(fault, index);
    if (fault.on?.process !== undefined)
      this.host([...at('on'), 'process'], fault.on.process, processesOf(this.scenario), 'process');
    if (fault.on?.server !== undefined)
      this.host([...at('on'), 'server'], fault.on.server, serversOf(this.scenario), 'server');
    if (fault.do === 'delay' && !['sent', 'used', 'replied'].includes(fault.on?.event ?? ''))
      this.problems.push({
        path: at('on'),
        message: 'a delay needs the message it delays: an `on` with event sent, used or replied',
      });
  }

  private faultWithoutHost(fault: Fault, index: number): void {
    if (!('host' in fault) && !HOST_FAULTS.has(fault.do)) return;
    const host = 'host' in fault ? fault.host : undefined;
    if (host === undefined && fault.on === undefined)
      this.problems.push({ path: ['faults', index, 'host'], message: `which host? \`atMs\` names none` });
  }

  private promotion(fault: Fault, index: number): void {
    if (fault.do !== 'promote') return;
    if (this.scenario.servers.replicas === 0) {
      this.problems.push({
        path: ['faults', index],
        message: 'there is no replica to promote: servers.replicas is 0',
      });
      return;
    }
    if (fault.replica === undefined) return;
    const replicas = serversOf(this.scenario).filter((server) => server.startsWith(`${fault.host}-replica-`));
    this.host(['faults', index, 'replica'], fault.replica, replicas, `replica of ${fault.host}:`);
  }
}

const HOST_FAULTS: ReadonlySet<string> = new Set(['pause', 'step-clock', 'set-drift', 'crash', 'restart']);

function shorten(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  if (names.length <= 8) return names.join(', ');
  return `${names.slice(0, 6).join(', ')}, ... ${names.at(-1)!}`;
}

/** Everything in a well-formed scenario that names a host it doesn't have, or lacks one it needs. */
export function hostProblems(scenario: Scenario): Problem[] {
  const check = new Check(scenario);
  check.links();
  check.clocksAndOverrides();
  scenario.faults.forEach((fault, index) => {
    check.fault(fault, index);
  });
  return check.problems;
}
