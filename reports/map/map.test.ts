import stringWidth from 'string-width';
import { styleText } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../properties/search/margin/flips.js';
import type { Axis, GridMap } from '../../properties/search/margin/grid.js';
import { mapCsv } from './csv.js';
import { mapSvg } from './svg.js';
import { mapLines } from './terminal.js';
import { ticks } from './ticks.js';

function axis(path: string, values: readonly number[]): Axis {
  return { parameter: { path, unit: 'ms', decimals: 3, least: 0, most: null, current: null }, values };
}

const KINDS = ['holds', 'library', 'infrastructure', 'lease', 'usage', 'unknown'] as const;

/** Every kind of cell once in each row, for as many columns as asked. */
function mapOf(columns: number, rows: number): GridMap {
  const x = axis(
    'faults.0.forMs',
    Array.from({ length: columns }, (_, index) => index * 50),
  );
  const y = axis(
    'lock.ttlMs',
    Array.from({ length: rows }, (_, index) => 500 + index * 100),
  );
  const sample = (value: number, index: number): Sample => {
    const kind = KINDS[Math.floor((index * KINDS.length) / columns)]!;
    const verdict = kind === 'holds' || kind === 'unknown' ? kind : 'violated';
    return { value, verdict, blame: kind === 'holds' || kind === 'unknown' ? null : kind, reason: null };
  };
  return {
    property: 'exclusive-use',
    x,
    y,
    rows: y.values.map(() => x.values.map(sample)),
    closedForm: y.values.map((value) => value / 2),
  };
}

const plain = (_style: unknown, text: string): string => text;

describe('a map in letters', () => {
  it('has the first row at the bottom, the first column at the left, and a letter for each kind', () => {
    const lines = mapLines(mapOf(6, 2), plain, 100);
    expect(lines[1]).toBe('600 ms ┤··LLIIEEUU??');
    expect(lines[2]).toBe('500 ms ┤··LLIIEEUU??');
    expect(lines.join('\n')).toMatch(/E violated, blame lease/);
  });

  it('keeps within 100 columns and says what it leaves out', () => {
    for (const [columns, rows] of [
      [6, 2],
      [61, 21],
      [300, 90],
    ] as const)
      for (const line of mapLines(mapOf(columns, rows), plain, 100))
        expect(stringWidth(line), line).toBeLessThanOrEqual(100);
    expect(mapLines(mapOf(300, 90), plain, 100).at(-1)).toBe(
      'Shown: 75 of 300 columns, 30 of 90 rows; the files have all.',
    );
  });

  it('says with colour nothing that it does not say without', () => {
    const painted = mapLines(
      mapOf(12, 3),
      (style, text) => styleText(style, text, { validateStream: false }),
      100,
    ).join('\n');
    // eslint-disable-next-line no-control-regex -- what styleText adds
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(mapLines(mapOf(12, 3), plain, 100).join('\n'));
  });
});

describe('a map as a picture', () => {
  const svg = mapSvg(mapOf(12, 3), {
    title: 'S1 · "A < B"',
    subtitle: 'lock single',
    closedForm: 'P > T & more',
  });

  it('needs nothing else, and escapes what it is told', () => {
    expect(svg).not.toMatch(/<script|href=|url\((?!#p-)/);
    expect(svg).toContain('<title id="title">S1 · &quot;A &lt; B&quot;</title>');
    expect(svg).toContain('closed form: P &gt; T &amp; more');
    const opened = [...svg.matchAll(/<([a-z]+)(?: [^>]*[^/>])?>/g)].map(([, tag]) => tag!);
    const closed = [...svg.matchAll(/<\/([a-z]+)>/g)].map(([, tag]) => tag!);
    const count = (tags: readonly string[], tag: string): number =>
      tags.filter((other) => other === tag).length;
    for (const tag of new Set([...opened, ...closed]))
      expect(count(opened, tag), tag).toBe(count(closed, tag));
  });

  it('tells every verdict by a pattern, in the dark, too', () => {
    for (const kind of KINDS.slice(1)) {
      expect(svg).toContain(`<pattern id="p-${kind}"`);
      expect(svg).toContain(`fill: url(#p-${kind})`);
    }
    expect(svg).toContain('prefers-color-scheme: dark');
  });

  it('fills the plot, each row with one rectangle for each run of equal cells', () => {
    const cells = [
      ...svg.matchAll(/<rect class="(\w+)" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"[^>]*><title>/g),
    ];
    expect(cells).toHaveLength(3 * KINDS.length);
    const first = cells.slice(0, KINDS.length);
    const width = first.reduce((sum, [, , , each]) => sum + Number(each), 0);
    expect(width).toBeCloseTo(640, 0);
  });
});

describe('a map as CSV', () => {
  it('has a line for each cell', () => {
    const lines = mapCsv(mapOf(6, 2)).trimEnd().split('\n');
    expect(lines).toHaveLength(1 + 12);
    expect(lines[0]).toBe('faults.0.forMs [ms],lock.ttlMs [ms],exclusive-use,blame,closedFormFlipsAt');
    expect(lines[1]).toBe('0,500,holds,,250');
    expect(lines[4]).toBe('150,500,violated,lease,250');
  });
});

describe('ticks', () => {
  it('are round and inside', () => {
    expect(ticks(0, 3000, 6)).toEqual([0, 500, 1000, 1500, 2000, 2500, 3000]);
    expect(ticks(-17.3, 22, 5)).toEqual([-10, 0, 10, 20]);
    expect(ticks(0.001, 0.004, 3)).toEqual([0.001, 0.002, 0.003, 0.004]);
    expect(ticks(5, 5, 4)).toEqual([5]);
  });
});
