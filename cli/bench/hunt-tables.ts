/** What hunting costs, and what it finds how soon, as tables. */
import type { HuntFigures } from './hunt.js';
import type { JobsFigures } from './jobs.js';
import { medianRuns, type PitfallFigures } from './pitfalls.js';
import { figure, mark, plain } from './tables.js';
import {
  HUNT_RATIO_TARGET,
  JOBS_RATIO_TARGET,
  PITFALL_MEDIAN_TARGET,
  PITFALL_RUNS_TARGET,
} from './targets.js';

export function huntTables(
  hunt: readonly HuntFigures[] | undefined,
  jobs: JobsFigures | undefined,
  pitfalls: readonly PitfallFigures[] | undefined,
): string[] {
  return [
    ...(hunt === undefined ? [] : [ratioTable(hunt)]),
    ...(jobs === undefined ? [] : [jobsTable(jobs)]),
    ...(pitfalls === undefined ? [] : [pitfallTable(pitfalls)]),
  ];
}

function ratioTable(figures: readonly HuntFigures[]): string {
  const table = plain(['hunt', 'runs /s', 'bare runs /s', 'ratio', 'target', '']);
  for (const { lock, runsPerSecond, bareRunsPerSecond, ratio } of figures)
    table.push([
      lock,
      figure(runsPerSecond),
      figure(bareRunsPerSecond),
      figure(ratio),
      `>= ${HUNT_RATIO_TARGET}`,
      mark(ratio >= HUNT_RATIO_TARGET),
    ]);
  return table.toString();
}

function jobsTable({ lock, runsPerSecond, ratio }: JobsFigures): string {
  const table = plain(['hunt by two jobs', 'runs /s', 'x one job', 'target', '']);
  table.push([
    lock,
    figure(runsPerSecond),
    figure(ratio),
    `>= ${JOBS_RATIO_TARGET}`,
    mark(ratio >= JOBS_RATIO_TARGET),
  ]);
  return table.toString();
}

function pitfallTable(figures: readonly PitfallFigures[]): string {
  const table = plain(['found by plain hunt', 'after runs, by seed', 'target', '']);
  for (const { pitfall, runs } of figures) {
    const reached = runs.every((count) => count !== null && count <= PITFALL_RUNS_TARGET);
    const counts = runs.map((count) => count ?? 'never').join(' · ');
    table.push([pitfall, counts, `<= ${PITFALL_RUNS_TARGET}`, mark(reached)]);
  }
  const middle = medianRuns(figures);
  table.push([
    'the median',
    String(middle),
    `<= ${PITFALL_MEDIAN_TARGET}`,
    mark(middle <= PITFALL_MEDIAN_TARGET),
  ]);
  return table.toString();
}
