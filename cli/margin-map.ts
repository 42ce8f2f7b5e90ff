/** The map of two parameters: run, written as CSV and SVG, and drawn for the terminal. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  axisOf,
  gridMap,
  rowsThatAgree,
  type AxisWish,
  type GridMap,
} from '../properties/search/margin/grid.js';
import { parameterOf } from '../properties/search/margin/parameter.js';
import type { AskedMargin } from '../properties/search/margin/question.js';
import { mapCsv } from '../reports/map/csv.js';
import { mapSvg } from '../reports/map/svg.js';
import { mapLines } from '../reports/map/terminal.js';
import type { Paint } from '../reports/terminal/text.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import type { LoadedLock } from '../sim/load.js';
import { fileStem } from './execute.js';
import { Pool } from './pool/pool.js';
import { startProgress } from './progress.js';
import { isPath } from './resolve.js';

export interface DrawnMap {
  readonly text: (paint: Paint, width: number) => string;
  readonly document: object;
}

export async function drawMap(
  asked: AskedMargin,
  [xWish, yWish]: readonly [AxisWish, AxisWish],
  options: {
    readonly out: string;
    readonly quiet?: boolean;
    readonly jobs: number;
    readonly lock: LoadedLock;
    readonly stopped: () => boolean;
  },
): Promise<DrawnMap> {
  const { scenario, closedForm, parameter } = asked;
  const x = axisOf(parameter, scenario, xWish, 'x', [closedForm?.flipsAt ?? null]);
  const y = axisOf(parameterOf(scenario, yWish.path), scenario, yWish, 'y');
  const progress = startProgress(y.values.length, { quiet: options.quiet === true });
  // A user's own module may never give way: not in this thread, then.
  const apart = isPath(scenario.lock.name);
  const pool = new Pool({ jobs: Math.min(options.jobs, y.values.length), locks: [options.lock], apart });
  let map: GridMap;
  try {
    map = await gridMap({
      ...asked,
      x,
      y,
      stopped: options.stopped,
      atOnce: pool.jobs,
      rowOf: (row) => pool.run({ kind: 'margin-row', row }),
      rowDone: (rows) => progress.at(rows, `rows of ${yWish.path}`),
    });
  } finally {
    progress.done();
    await pool.close();
  }
  const files = writeMap(asked, map, options.out);
  return { text: (paint, width) => mapText(map, files, paint, width), document: mapDocument(map, files) };
}

interface MapFiles {
  readonly csv: string;
  readonly svg: string;
}

function writeMap({ scenario, closedForm }: AskedMargin, map: GridMap, out: string): MapFiles {
  const axes = [map.x, map.y].map(({ parameter }) => parameter.path).join('-by-');
  const stem = path.join(
    out,
    `${fileStem(scenario, '')}-${axes}`.replace(/[^\w.@/\\-]+/g, '-').replace(/--+/g, '-'),
  );
  const files = { csv: `${stem}.csv`, svg: `${stem}.svg` };
  mkdirSync(out, { recursive: true });
  writeFileSync(files.csv, mapCsv(map));
  const title = CATALOGUE.find((entry) => entry.scenario.id === scenario.id)?.title;
  writeFileSync(
    files.svg,
    mapSvg(map, {
      title: title === undefined ? scenario.id : `${scenario.id} · ${title}`,
      subtitle: `${map.property} · lock ${scenario.lock.name} · seed ${scenario.seed}`,
      closedForm: closedForm?.text ?? null,
    }),
  );
  return files;
}

function mapText(map: GridMap, files: MapFiles, paint: Paint, width: number): string {
  const { agree, of } = rowsThatAgree(map);
  return [
    ...mapLines(map, paint, Math.min(width, 100)),
    ...(of === 0 ? [] : [`The closed form lies where the map turns in ${agree} of ${of} rows.`]),
    '',
    `Map      ${files.csv}`,
    `         ${files.svg}`,
  ].join('\n');
}

function mapDocument({ x, y, rows, closedForm }: GridMap, files: MapFiles): object {
  return {
    x: { parameter: x.parameter.path, unit: x.parameter.unit, values: x.values },
    y: { parameter: y.parameter.path, unit: y.parameter.unit, values: y.values },
    rows: rows.map((row) =>
      row.map(({ verdict, blame }) => (blame === null ? verdict : `${verdict}/${blame}`)),
    ),
    closedFormFlipsAt: closedForm,
    complete: rows.length === y.values.length,
    ...files,
  };
}
