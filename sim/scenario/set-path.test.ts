import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { editDistance, nearest } from './nearest.js';
import { parseScenario } from './parse.js';
import { applySets, parseSetting, readPath, showSetting } from './set-path.js';
import { pathsOf } from './shape.js';

const SCENARIO = parseScenario({
  id: 'x',
  faults: [
    { on: { event: 'used', process: 'p1' }, do: 'pause', forMs: 1500 },
    { atMs: 900, do: 'step-clock', host: 'redis-1', byMs: 600 },
  ],
});

const set = (...texts: string[]): ReturnType<typeof applySets> =>
  applySets(SCENARIO, texts.map(parseSetting));

describe('--set', () => {
  it('changes what is there and what is only allowed to be', () => {
    const changed = set(
      'resource.fenced=true',
      'faults.0.forMs=[1, 2]',
      'overrides.p2.network.latencyMs=0',
      'lock.name=redlock',
    );
    expect(changed.resource.fenced).toBe(true);
    expect(changed.faults[0]).toMatchObject({ forMs: [1, 2] });
    expect(changed.overrides).toEqual({ p2: { network: { latencyMs: 0 } } });
    expect(changed.lock.name).toBe('redlock');
    expect(changed.faults[1]).toEqual(SCENARIO.faults[1]);
  });

  it('leaves the original alone', () => {
    const before = structuredClone(SCENARIO);
    set('resource.fenced=true', 'faults.1.byMs=1', 'overrides.p2.workload.steps=4');
    expect(SCENARIO).toEqual(before);
  });

  it('takes lock options it does not know: they are the lock’s own', () => {
    expect(set('lock.options.watchdog=true').lock.options).toMatchObject({ watchdog: true });
  });

  it('adds a fault at the end of the list', () => {
    expect(set('faults.2={"atMs": 1, "do": "crash", "host": "p2"}').faults).toHaveLength(3);
  });
});

const bad: [text: string, message: RegExp][] = [
  ['resource.fenced', /is not path=value/],
  [
    'resource.fence=true',
    /no path `resource\.fence` in a scenario \(did you mean resource\.fenced\?\); known in resource: fenced/,
  ],
  ['fenced=true', /did you mean resource\.fenced\?/],
  ['lock.ttl=5', /did you mean lock\.ttlMs\?/],
  ['ttlMs=5', /did you mean lock\.ttlMs\?/],
  ['faults.0.byMs=5', /no path `faults\.0\.byMs`/],
  ['faults.7.forMs=5', /no such entry: faults has entries 0 to 1/],
  ['faults.first.forMs=5', /no path|no such entry/],
  ['seed.x=5', /no path `seed\.x`/],
  ['servers.count=many', /servers\.count: expected a whole number .*, not "many"/],
  ['servers.count=', /servers\.count: expected a whole number/],
  ['faults.1.host=redis-3', /faults\.1\.host: this scenario has no host redis-3/],
  ['clocks.p5.offsetMs=1', /clocks\.p5: this scenario has no host p5/],
  ['__proto__.x=1', /no path/],
  ['lock..name=1', /no path/],
  ['workload.workMs.0.x=1', /no path|nothing is inside/],
];

it('a version is a text, whatever it looks like', () => {
  const set = (text: string): string => applySets(SCENARIO, [parseSetting(text)]).servers.version;
  expect(set('servers.version=7.10')).toBe('7.10');
  expect(set('servers.version=valkey-9.0')).toBe('valkey-9.0');
});

describe('what --set refuses', () => {
  it.each(bad)('%s', (text, message) => {
    expect(() => set(text)).toThrow(message);
  });
});

describe('paths', () => {
  const reachable = pathsOf(SCENARIO).filter((path) => readPath(SCENARIO, path) !== undefined);

  test.prop([fc.constantFrom(...reachable)], { seed: 1, numRuns: 200 })(
    'setting any path to the value it has changes nothing',
    (path) => {
      expect(applySets(SCENARIO, [{ path, value: readPath(SCENARIO, path) }])).toEqual(SCENARIO);
    },
  );

  test.prop(
    [
      fc.constantFrom('seed', 'lock.ttlMs', 'faults.0.forMs', 'workload.thinkMs', 'network.giveUpMs'),
      fc.integer({ min: 1, max: 1e6 }),
    ],
    { seed: 2 },
  )('what is set is what is read', (path, value) => {
    expect(readPath(applySets(SCENARIO, [{ path, value }]), path)).toBe(value);
  });

  test.prop([fc.constantFrom(...reachable), fc.jsonValue({ noUnicodeString: false } as object)], { seed: 3 })(
    'a setting shown is read back',
    (path, value) => {
      const read = parseSetting(showSetting({ path, value }));
      expect([read.path, read.value]).toEqual([path, JSON.parse(JSON.stringify(value)) as unknown]);
    },
  );

  test.prop([fc.string({ minLength: 1 }), fc.string()], { seed: 4 })(
    'whatever is written, the answer is a scenario or a readable error',
    (path, value) => {
      try {
        applySets(SCENARIO, [{ path, value }]);
      } catch (error) {
        expect((error as Error).name).toBe('ScenarioError');
      }
      expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    },
  );
});

describe('nearest words', () => {
  it('counts an exchange of neighbours once', () => {
    expect(editDistance('puase', 'pause')).toBe(1);
    expect(editDistance('kitten', 'sitting')).toBe(3);
    expect(editDistance('', 'abc')).toBe(3);
  });

  it('suggests only what is near', () => {
    expect(nearest('sinlge', ['single', 'redlock'])).toBe('single');
    expect(nearest('S99', ['R1', 'contention'])).toBeUndefined();
    expect(nearest('fenced', ['single', 'single-fenced', 'redlock'])).toBe('single-fenced');
  });
});
