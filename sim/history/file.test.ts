import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scenarioSchema } from '../scenario/schema.js';
import type { Counterexample } from './counterexample.js';
import { digest } from './digest.js';
import type { History } from './events.js';
import { readCounterexample, readHistory, writeCounterexample, writeHistory, writeWhole } from './file.js';
import { serializeHistory } from './jsonl.js';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'lockpick-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const HISTORY: History = {
  header: {
    format: 'lockpick/history@1',
    scenario: scenarioSchema.parse({ id: 'tiny' }),
    lock: { name: 'single', claims: null, bundle: null },
    versions: { lockpick: '0.0.0' },
  },
  events: [
    { i: 0, tUs: 0, host: 'world', kind: 'tail' },
    { i: 1, tUs: 2000, host: 'world', kind: 'end', reason: 'done', untriggered: [] },
  ],
};

const COUNTEREXAMPLE: Counterexample = {
  format: 'lockpick/counterexample@1',
  scenario: scenarioSchema.parse({ id: 'tiny' }),
  lock: { name: './my-lock.ts', path: '../my-lock.ts', bundle: 'a'.repeat(64) },
  versions: { lockpick: '0.0.0' },
  digest: 'b'.repeat(64),
  property: 'mutual-exclusion',
  blame: 'library',
  reason: 'p1 and p2 at once',
  verdicts: { 'mutual-exclusion': 'violated/library' },
};

describe('files', () => {
  it('writes a history into directories it makes, and reads the same one back', () => {
    const file = path.join(directory, 'deep', 'er', 'x.history.jsonl');
    writeHistory(file, HISTORY);
    expect(readFileSync(file, 'utf8')).toBe(serializeHistory(HISTORY));
    expect(digest(readHistory(file))).toBe(digest(HISTORY));
  });

  it('leaves nothing half-written behind, and an older file as it was', () => {
    const file = path.join(directory, 'x.txt');
    writeFileSync(file, 'before');
    const breaking = function* (): Generator<string> {
      yield 'x'.repeat(600_000);
      throw new Error('no more');
    };
    expect(() => writeWhole(file, breaking())).toThrow('no more');
    expect(readFileSync(file, 'utf8')).toBe('before');
    expect(readdirSync(directory)).toEqual(['x.txt']);
  });

  it('reads counterexamples back as they were', () => {
    const file = path.join(directory, 'x.counterexample.json');
    writeCounterexample(file, COUNTEREXAMPLE);
    expect(readCounterexample(file)).toEqual(COUNTEREXAMPLE);
    expect(existsSync(`${file}.${process.pid}.tmp`)).toBe(false);
  });
});

const lines = serializeHistory(HISTORY).split('\n');
const badHistories: [what: string, text: string, message: RegExp][] = [
  ['an empty file', '', /:1: the file is empty/],
  ['another format', '{"format":"lockpick/history@9"}\n', /:1: not a lockpick\/history@1 file.*history@9/],
  ['no JSON', `${lines[0]}\n{"i":0,\n`, /:2: not JSON/],
  ['an empty line', `${lines[0]}\n\n${lines[2]}\n`, /:2: the line is empty/],
  [
    'an unknown kind',
    `${lines[0]}\n{"i":0,"tUs":0,"host":"p1","kind":"lunch"}\n`,
    /:2: unknown kind of event "lunch"/,
  ],
  [
    'a wrong member',
    `${lines[0]}\n{"i":0,"tUs":"x","host":"world","kind":"tail"}\n`,
    /:2: bad tail event: tUs: /,
  ],
  ['a gap in the numbering', `${lines[0]}\n${lines[2]}\n`, /:2: event 1 where 0 was due/],
  [
    'time that runs backwards',
    `${lines[0]}\n${lines[1]!.replace('"tUs":0', '"tUs":9000')}\n${lines[2]}\n`,
    /:3: time runs backwards/,
  ],
  ['a cut-off end', `${lines[0]}\n${lines[1]}\n`, /:2: the history has no end/],
  ['a cut-off line', lines.join('\n').slice(0, -10), /:3: the last line is cut off/],
];

describe('what is no history', () => {
  it.each(badHistories)('%s is refused with file and line', (_what, text, message) => {
    const file = path.join(directory, 'bad.jsonl');
    writeFileSync(file, text);
    expect(() => readHistory(file)).toThrow(message);
    expect(() => readHistory(file)).toThrow(file);
  });
});

const badCounterexamples: [what: string, change: object | string, message: RegExp][] = [
  ['no JSON', '{\n"format": nope', /:2: not JSON: .* is not valid JSON$/],
  ['another format', { format: 'lockpick/history@1' }, /its format is `lockpick\/history@1`/],
  [
    'a broken scenario',
    { scenario: { id: 'x', servers: { cout: 1 } } },
    /scenario: servers\.cout: .*did you mean count/,
  ],
  ['a short digest', { digest: 'abc' }, /digest: 64 hexadecimal digits/],
  ['an unknown property', { property: 'harmony' }, /property: /],
];

describe('what is no counterexample', () => {
  it.each(badCounterexamples)('%s is refused', (_what, change, message) => {
    const file = path.join(directory, 'bad.json');
    const text = typeof change === 'string' ? change : JSON.stringify({ ...COUNTEREXAMPLE, ...change });
    writeFileSync(file, text);
    expect(() => readCounterexample(file)).toThrow(message);
  });
});
