import { describe, expect, it } from 'vitest';
import { parseScenario, ScenarioError } from './parse.js';

describe('parseScenario', () => {
  it('fills in the defaults', () => {
    const scenario = parseScenario({ id: 'x' });
    expect(scenario.lock).toMatchObject({ name: 'single', ttlMs: 1000, options: { retryCount: 10 } });
    expect(scenario.network.latencyMs).toEqual([1, 5]);
  });

  it('reports every problem on a line of its own, with the source', () => {
    const bad = { id: 'x', servrs: {}, limits: { events: 0 } };
    expect(() => parseScenario(bad, 'mine.json')).toThrow(ScenarioError);
    try {
      parseScenario(bad, 'mine.json');
    } catch (error) {
      const { message } = error as ScenarioError;
      expect(message.split('\n')).toHaveLength(2);
      expect(message).toMatch(/^mine\.json: servrs: unknown name \(did you mean servers\?\); known here: /m);
      expect(message).toMatch(/^mine\.json: limits\.events: expected a whole number of at least 1, not 0/m);
    }
  });
});

const fault = (one: object): object => ({ id: 'x', faults: [one] });

const bad: [what: string, input: unknown, message: RegExp][] = [
  ['nothing at all', null, /expected an object, not null/],
  ['a list', [], /expected an object, not \[\]/],
  ['no id', {}, /id: is missing: a text/],
  ['another format', { id: 'x', format: 'lockpick/scenario@2' }, /format: expected "lockpick\/scenario@1"/],
  [
    'a misspelt name',
    { id: 'x', servers: { cout: 1 } },
    /servers\.cout: unknown name \(did you mean count\?\); known here: count, engine/,
  ],
  [
    'a misspelt word',
    { id: 'x', servers: { persistence: 'aof' } },
    /servers\.persistence: expected one of none, rdb, aof-always, aof-everysec, aof-no, not "aof" \(did you mean aof-no\?\)/,
  ],
  [
    'a text for a number',
    { id: 'x', servers: { count: '5' } },
    /servers\.count: expected a whole number of at least 1 and at most 99, not "5"/,
  ],
  [
    'a duration that is neither',
    { id: 'x', network: { latencyMs: 'fast' } },
    /network\.latencyMs: expected a number of at least 0 or a pair \[least, most\], not "fast"/,
  ],
  [
    'a pair the wrong way round',
    { id: 'x', network: { latencyMs: [5, 1] } },
    /network\.latencyMs: the least comes first/,
  ],
  [
    'too many decimals',
    { id: 'x', workload: { thinkMs: 0.1234 } },
    /workload\.thinkMs: milliseconds carry at most three decimals/,
  ],
  [
    'a link without an arrow',
    { id: 'x', network: { links: { p1: 1 } } },
    /network\.links\.p1: a link is written p1->redis-1/,
  ],
  [
    'an unknown fault',
    fault({ atMs: 1, do: 'puase' }),
    /faults\.0\.do: expected one of pause, .*promote, fill, not "puase" \(did you mean pause\?\)/,
  ],
  [
    'a fault without a time',
    fault({ do: 'pause', host: 'p1', forMs: 3 }),
    /faults\.0: a fault has either `atMs` or `on`/,
  ],
  [
    'a field of another fault',
    fault({ atMs: 1, do: 'crash', host: 'p1', forMs: 3 }),
    /faults\.0\.forMs: unknown name/,
  ],
  [
    'a missing field',
    fault({ atMs: 1, do: 'pause', host: 'p1' }),
    /faults\.0\.forMs: is missing: a number of at least 0 or a pair/,
  ],
  ['no host', fault({ atMs: 1, do: 'pause', forMs: 3 }), /faults\.0\.host: which host\?/],
  [
    'a host that no scenario has',
    fault({ atMs: 1, do: 'crash', host: 'server-1' }),
    /faults\.0\.host: a host is p1, redis-1.*, not "server-1"/,
  ],
  [
    'a host that this scenario lacks',
    fault({ atMs: 1, do: 'crash', host: 'redis-2' }),
    /faults\.0\.host: this scenario has no host redis-2 \(did you mean redis-1\?\); it has p1, p2, redis-1, storage/,
  ],
  [
    'such a host in a list',
    fault({ atMs: 1, do: 'partition', from: 'p1', to: ['redis-1', 'redis-3'] }),
    /faults\.0\.to: .*no host redis-3/,
  ],
  [
    'such a process in a trigger',
    fault({ on: { event: 'used', process: 'p7' }, do: 'pause', forMs: 1 }),
    /faults\.0\.on\.process: .*no process p7/,
  ],
  [
    'an unknown trigger',
    fault({ on: { event: 'grant' }, do: 'pause', forMs: 1 }),
    /faults\.0\.on\.event: expected one of asked, granted.*did you mean granted/,
  ],
  [
    'a promotion without replicas',
    fault({ atMs: 1, do: 'promote', host: 'redis-1' }),
    /faults\.0: there is no replica to promote/,
  ],
  [
    'a delay of nothing',
    fault({ atMs: 1, do: 'delay', byMs: 5 }),
    /faults\.0\.on: a delay needs the message it delays/,
  ],
  [
    'a clock of nobody',
    { id: 'x', clocks: { p9: { driftPpm: 1 } } },
    /clocks\.p9: this scenario has no host p9/,
  ],
  [
    'an override of nobody',
    { id: 'x', overrides: { p3: {} } },
    /overrides\.p3: this scenario has no process p3/,
  ],
  [
    'a link to nobody',
    { id: 'x', network: { links: { 'p1->redis-4': 1 } } },
    /network\.links\.p1->redis-4: .*no host redis-4/,
  ],
  [
    'an unknown property',
    { id: 'x', expect: { single: { 'exclusive-usage': 'holds' } } },
    /expect\.single\.exclusive-usage: unknown property \(did you mean exclusive-use\?\)/,
  ],
  [
    'a verdict that nothing has',
    { id: 'x', expect: { single: { quiet: 'violated/lock' } } },
    /expect\.single\.quiet: expected one of holds, unknown, violated\/library/,
  ],
];

describe('what is no scenario', () => {
  it.each(bad)('%s', (_what, input, message) => {
    expect(() => parseScenario(input)).toThrow(message);
  });
});
