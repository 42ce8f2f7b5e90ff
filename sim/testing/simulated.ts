/** For tests of the simulated world: runs a scenario, on a lock by name or on a lock module given as text. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { resolveLock } from '../../src/resolve.js';
import type { EventKind, EventOf, History } from '../history/events.js';
import { loadLock } from '../load.js';
import { simulate } from '../run.js';
import { parseScenario } from '../scenario/parse.js';
import type { ScenarioInput } from '../scenario/schema.js';

const modules = mkdtempSync(path.join(tmpdir(), 'lockpick-test-'));
let written = 0;

/** The path of a lock module whose `acquire` is the text given: an expression that uses `env`, `resource`, `ttlMs`. */
export function lockModule(acquire: string): string {
  const file = path.join(modules, `lock-${++written}.mjs`);
  writeFileSync(
    file,
    `export default {
  name: 'test', servers: 1,
  connect: (env) => ({ acquire: async (resource, { ttlMs, signal }) => { ${acquire} } }),
};`,
  );
  return file;
}

/** One run with all that is traced. One process and one server at 5 ms from everything, unless the scenario says otherwise. */
export function simulated(scenario: Partial<ScenarioInput>, lock = 'single'): Promise<History> {
  const parsed = parseScenario({
    id: 'test',
    network: { latencyMs: 5 },
    processes: { count: 1 },
    workload: { workMs: 100 },
    ...scenario,
    lock: { ttlMs: 1000, ...scenario.lock, name: lock },
  });
  return loadLock(resolveLock(lock)).then((loaded) => simulate(parsed, loaded, { trace: true }));
}

/** The events of a kind that match, each in the words of a test. */
export function eventsOf<K extends EventKind>(
  { events }: History,
  kind: K,
  matches: (event: EventOf<K>) => boolean = () => true,
): EventOf<K>[] {
  return events.filter((event): event is EventOf<K> => event.kind === kind && matches(event as EventOf<K>));
}

/** Times of the events of a kind that match, in milliseconds. */
export function timesOf<K extends EventKind>(
  history: History,
  kind: K,
  matches?: (event: EventOf<K>) => boolean,
): number[] {
  return eventsOf(history, kind, matches).map(({ tUs }) => tUs / 1000);
}

/** What the program printed, line by line. */
export function printed(history: History): string[] {
  return eventsOf(history, 'print').map(({ line }) => line);
}
