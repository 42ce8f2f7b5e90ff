/** What the bench found, as one document and as a table. */
import type { EngineCosts } from './engine-cost.js';
import type { FloorFigures } from './floor-multiple.js';
import type { HuntFigures } from './hunt.js';
import { huntTables } from './hunt-tables.js';
import type { JobsFigures } from './jobs.js';
import type { LibraryFigures } from './libraries.js';
import type { MemoryFigures } from './memory.js';
import type { Parity } from './parity.js';
import type { PitfallFigures } from './pitfalls.js';
import type { WireFigures } from './wire.js';
import { figure, mark, plain } from './tables.js';
import { spinTable, type SpinFigures } from './spin.js';
import {
  CONTESTS,
  FLOOR_MULTIPLE_TARGET,
  KEPT_BYTES_PER_RUN_TARGET,
  LIBRARY_TIMES_TARGET,
  OPPONENTS,
  RATIO_TARGETS,
  RSS_MIB_TARGET,
  SCRIPT_US_TARGET,
  SET_US_TARGET,
  WIRE_RUNS_PER_SECOND_TARGET,
  type Contest,
  type OpponentName,
} from './targets.js';

type ByOpponent<T> = Partial<Record<OpponentName, T>>;

export interface BenchReport {
  readonly format: 'lockpick/bench@1';
  readonly node: string;
  readonly pairs: number;
  readonly ratios: Partial<Record<Contest, ByOpponent<number>>>;
  readonly ratiosOfPairs: Partial<Record<Contest, ByOpponent<readonly number[]>>>;
  readonly runsPerSecond: Partial<Record<Contest, { lockpick: number } & ByOpponent<number>>>;
  readonly parity: Partial<Record<Contest, ByOpponent<Parity>>>;
  readonly parityOk: boolean;
  readonly floor?: FloorFigures;
  readonly floorMultiple?: number;
  readonly rssMiB?: MemoryFigures['rssMiB'];
  readonly keptBytesPerRun?: number;
  readonly memoryRuns?: number;
  readonly engine?: EngineCosts;
  readonly libraries?: readonly LibraryFigures[];
  readonly wire?: WireFigures;
  readonly hunt?: readonly HuntFigures[];
  readonly jobs?: JobsFigures;
  readonly pitfalls?: readonly PitfallFigures[];
  readonly spin?: readonly SpinFigures[];
  readonly targets: {
    readonly ratios: typeof RATIO_TARGETS;
    readonly floorMultiple: number;
    readonly rssMiB: number;
    readonly keptBytesPerRun: number;
    readonly setUs: number;
    readonly scriptUs: number;
    readonly libraryTimes: number;
    readonly wireRunsPerSecond: number;
  };
}

export const TARGETS: BenchReport['targets'] = {
  ratios: RATIO_TARGETS,
  floorMultiple: FLOOR_MULTIPLE_TARGET,
  rssMiB: RSS_MIB_TARGET,
  keptBytesPerRun: KEPT_BYTES_PER_RUN_TARGET,
  setUs: SET_US_TARGET,
  scriptUs: SCRIPT_US_TARGET,
  libraryTimes: LIBRARY_TIMES_TARGET,
  wireRunsPerSecond: WIRE_RUNS_PER_SECOND_TARGET,
};

const LABELS: Readonly<Record<Contest, string>> = {
  '5x3': '5x3 redlock',
  '1x2': '1x2 redlock',
  redlock4: '5x3 redlock@4.2.0',
};

function ratioTable(report: BenchReport): string {
  const table = plain(['load', 'opponent', 'ours /s', 'theirs /s', 'ratio', 'target', '']);
  for (const contest of CONTESTS) {
    for (const opponent of OPPONENTS) {
      const ratio = report.ratios[contest]?.[opponent];
      const speeds = report.runsPerSecond[contest];
      if (ratio === undefined || speeds === undefined) continue;
      const target = RATIO_TARGETS[contest][opponent];
      table.push([
        LABELS[contest],
        opponent,
        figure(speeds.lockpick),
        figure(speeds[opponent]!),
        figure(ratio),
        `>= ${target}`,
        mark(ratio >= target),
      ]);
    }
  }
  return table.toString();
}

function parityTable(report: BenchReport): string {
  const table = plain(['parity', 'opponent', 'commands a run', 'ratio', 'violating runs', 'ratio', '']);
  for (const contest of CONTESTS) {
    for (const opponent of OPPONENTS) {
      const parity = report.parity[contest]?.[opponent];
      if (parity === undefined) continue;
      const { ours, theirs, commandsRatio, violatingRatio, ok } = parity;
      table.push([
        LABELS[contest],
        opponent,
        `${ours.commandsPerRun.toFixed(2)} : ${theirs.commandsPerRun.toFixed(2)}`,
        commandsRatio.toFixed(3),
        `${percent(ours.violatingShare)} : ${percent(theirs.violatingShare)} of ${theirs.runs}`,
        violatingRatio?.toFixed(3) ?? '-',
        ok ? 'ok' : 'OFF',
      ]);
    }
  }
  return table.toString();
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function costTable(report: BenchReport): string {
  const table = plain(['cost', 'measured', 'target', '']);
  if (report.floor !== undefined && report.floorMultiple !== undefined) {
    const { eventNs, floorNs, eventsPerRun, load } = report.floor;
    table.push([
      `an event of ${load} (${figure(eventsPerRun)} a run), in floors of ${figure(floorNs)} ns`,
      `${figure(report.floorMultiple)} (${figure(eventNs)} ns)`,
      `<= ${FLOOR_MULTIPLE_TARGET}`,
      mark(report.floorMultiple <= FLOOR_MULTIPLE_TARGET),
    ]);
  }
  if (report.rssMiB !== undefined && report.keptBytesPerRun !== undefined) {
    table.push(
      [
        `resident size over ${report.memoryRuns} runs, MiB`,
        `${figure(report.rssMiB.start)} to ${figure(report.rssMiB.end)}`,
        `< ${RSS_MIB_TARGET}`,
        mark(report.rssMiB.end < RSS_MIB_TARGET),
      ],
      [
        'kept on the heap, bytes a run',
        figure(Math.max(0, report.keptBytesPerRun)),
        `< ${KEPT_BYTES_PER_RUN_TARGET}`,
        mark(report.keptBytesPerRun < KEPT_BYTES_PER_RUN_TARGET),
      ],
    );
  }
  if (report.wire !== undefined) {
    const { clientPackage, runsPerSecond, commandsPerRun } = report.wire;
    table.push([
      `runs a second of 5x3 redlock@4.2.0 with real ${clientPackage} (${figure(commandsPerRun)} commands a run)`,
      figure(runsPerSecond),
      `>= ${WIRE_RUNS_PER_SECOND_TARGET}`,
      mark(runsPerSecond >= WIRE_RUNS_PER_SECOND_TARGET),
    ]);
  }
  return table.toString();
}

function engineTable({ native, mock }: EngineCosts): string {
  const table = plain(['µs at the median', 'native', 'ioredis-mock', 'ratio', 'target', '']);
  const row = (label: string, ours: number, theirs: number, target: number | null): void => {
    const goal = target === null ? ['', ''] : [`< ${target}`, mark(ours < target)];
    table.push([label, figure(ours), figure(theirs), figure(theirs / ours), ...goal]);
  };
  row('SET key value PX NX', native.setUs, mock.setUs, SET_US_TARGET);
  row('compare and delete, compiled', native.scriptUs, mock.scriptUs, SCRIPT_US_TARGET);
  row('the same by fengari', native.interpretedUs, mock.scriptUs, null);
  return table.toString();
}

function librariesTable(figures: readonly LibraryFigures[]): string {
  const table = plain(['library', 'load', 'runs /s', 'redlock is so many times as fast', 'target', '']);
  for (const { lock, load, runsPerSecond, times } of figures) {
    const reached = times <= LIBRARY_TIMES_TARGET;
    table.push([
      lock,
      load,
      figure(runsPerSecond),
      figure(times),
      `<= ${LIBRARY_TIMES_TARGET}`,
      mark(reached),
    ]);
  }
  return table.toString();
}

/** The report for people. */
export function renderReport(report: BenchReport): string {
  const parts = [
    `lockpick bench, node ${report.node}, medians of ${report.pairs} pairs of runs per second, one thread`,
  ];
  if (Object.keys(report.ratios).length > 0) parts.push(ratioTable(report), parityTable(report));
  if (report.floor !== undefined || report.rssMiB !== undefined || report.wire !== undefined)
    parts.push(costTable(report));
  if (report.libraries !== undefined) parts.push(librariesTable(report.libraries));
  if (report.engine !== undefined) parts.push(engineTable(report.engine));
  parts.push(...huntTables(report.hunt, report.jobs, report.pitfalls));
  if (report.spin !== undefined) parts.push(spinTable(report.spin));
  return `${parts.join('\n')}\n`;
}
