import { describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.js';
import { digest } from './digest.js';
import type { History } from './events.js';
import { canonicalJson, serializeHistory } from './jsonl.js';
import { parseHistory } from './read.js';

const TINY: History = {
  header: {
    format: 'lockpick/history@1',
    scenario: scenarioSchema.parse({ id: 'tiny' }),
    lock: { name: 'single', claims: null, bundle: null },
    versions: { lockpick: '0.0.0' },
  },
  events: [
    {
      i: 0,
      tUs: 0,
      host: 'p1',
      kind: 'acquire',
      phase: 'invoke',
      step: 1,
      task: 'p1/1',
      hold: 'p1/1/1',
      resource: 'a',
      ttlMs: 1000,
    },
    { i: 1, tUs: 1500, host: 'world', kind: 'tail' },
    { i: 2, tUs: 2000, host: 'world', kind: 'end', reason: 'done', untriggered: [] },
  ],
};

describe('canonical text', () => {
  it('puts the header first, one event a line, keys in a fixed order', () => {
    const lines = serializeHistory(TINY).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/^\{"format":"lockpick\/history@1","lock":/);
    expect(lines[1]).toBe(
      '{"i":0,"tUs":0,"host":"p1","kind":"acquire","phase":"invoke","step":1,"task":"p1/1","hold":"p1/1/1","resource":"a","ttlMs":1000}',
    );
    expect(lines[4]).toBe('');
  });

  it('does not depend on the order in which members were added, nor on members that are undefined', () => {
    expect(canonicalJson({ b: 1, a: { d: [1, { z: 0, y: null }], c: undefined } })).toBe(
      canonicalJson({ a: { d: [1, { y: null, z: 0 }] }, b: 1 }),
    );
  });

  it.each([NaN, Infinity, 1n, () => 0])('refuses %s, which JSON cannot carry', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
  });
});

describe('digest', () => {
  it('is the SHA-256 of the canonical text, the same for ever', async () => {
    const { createHash } = await import('node:crypto');
    expect(digest(TINY)).toBe(createHash('sha256').update(serializeHistory(TINY)).digest('hex'));
  });

  it('survives being written and read', () => {
    expect(digest(parseHistory(serializeHistory(TINY)))).toBe(digest(TINY));
  });

  it('changes with a single microsecond', () => {
    const events = TINY.events.map((event) => (event.i === 1 ? { ...event, tUs: 1501 } : event));
    expect(digest({ ...TINY, events })).not.toBe(digest(TINY));
  });

  it('hashes texts longer than one chunk whole', async () => {
    const { createHash } = await import('node:crypto');
    const middle = Array.from(
      { length: 3000 },
      (_, i) => ({ i, tUs: i, host: 'p1', kind: 'print', level: 'log', line: `ü ${i}` }) as const,
    );
    const events: History['events'] = [
      ...middle,
      { i: 3000, tUs: 9000, host: 'world', kind: 'end', reason: 'done', untriggered: [] },
    ];
    const long: History = { ...TINY, events };
    expect(digest(long)).toBe(createHash('sha256').update(serializeHistory(long)).digest('hex'));
  });
});
