/** The map of two parameters: run, written as CSV and SVG, and drawn for the terminal. */
import path from 'node:path';
import {
  axisOf,
  gridMap,
  rowsThatAgree,
  type Axis,
  type AxisWish,
  type GridMap,
  type RowQuestion,
} from '../properties/search/margin/grid.js';
import { parameterOf } from '../properties/search/margin/parameter.js';
import type { AskedMargin } from '../properties/search/margin/question.js';
import { mapCsv } from '../reports/map/csv.js';
import { mapSvg } from '../reports/map/svg.js';
import { mapLines } from '../reports/map/terminal.js';
import type { Paint } from '../reports/terminal/text.js';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { writeWhole } from '../sim/history/file.js';
import type { LoadedLock } from '../sim/load.js';
import { fileStem } from './execute.js';
import { CommandError, EXIT } from './exit.js';
import { Pool, TaskLost } from './pool/pool.js';
import { startProgress } from './progress.js';
import { isPath } from './resolve.js';

export interface DrawnMap {
  readonly text: (paint: Paint, width: number) => string;
  readonly document: object;
}

export interface Axes {
  readonly x: Axis;
  readonly y: Axis;
}

/**
 * @param ends of the first axis, where its wish has none
 * @throws ParameterError, AxisError
 */
export function axesOf(
  { scenario, closedForm, parameter }: AskedMargin,
  [xWish, yWish]: readonly [AxisWish, AxisWish],
  ends: { readonly from?: number; readonly to?: number },
): Axes {
  const x = axisOf(parameter, scenario, { ...ends, ...xWish }, 'x', [closedForm?.flipsAt ?? null]);
  return { x, y: axisOf(parameterOf(scenario, yWish.path), scenario, yWish, 'y') };
}

export async function drawMap(
  asked: AskedMargin,
  { x, y }: Axes,
  options: {
    readonly out: string;
    readonly quiet?: boolean;
    readonly jobs: number;
    readonly lock: LoadedLock;
    readonly stopped: () => boolean;
  },
): Promise<DrawnMap> {
  const { scenario } = asked;
  const { path: across } = y.parameter;
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
      rowOf: (row) => lossless(scenario.lock.name, row, () => pool.run({ kind: 'margin-row', row })),
      rowDone: (rows) => progress.at(rows, `rows of ${across}`),
    });
  } finally {
    progress.done();
    await pool.close();
  }
  const files = writeMap(asked, map, options.out);
  return { text: (paint, width) => mapText(map, files, paint, width), document: mapDocument(map, files) };
}

/** A map that lost a run is none: names the run that was lost. */
async function lossless<T>(lock: string, { x, y, value }: RowQuestion, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TaskLost)) throw error;
    const at = [`${y.path}=${value}`];
    if (error.run !== null) at.push(`${x.parameter.path}=${x.values[error.run]}`);
    const exitCode = error.loss === 'time' ? EXIT.violation : EXIT.unknown;
    throw new CommandError(`${lock}: with ${at.join(' and ')}: ${error.message}`, exitCode);
  }
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
  writeWhole(files.csv, [mapCsv(map)]);
  const title = CATALOGUE.find((entry) => entry.scenario.id === scenario.id)?.title;
  const svg = mapSvg(map, {
    title: title === undefined ? scenario.id : `${scenario.id} · ${title}`,
    subtitle: `${map.property} · lock ${scenario.lock.name} · seed ${scenario.seed}`,
    closedForm: closedForm?.text ?? null,
  });
  writeWhole(files.svg, [svg]);
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
