/**
 * Named figures that a scenario may expect of a process beside verdicts: `observe: { p1: { waitedMs: [900, 1100], error: 'NotAcquired' } }`.
 * A number, or the least and the most; of an error its name, or null for none.
 */
import { processesOf, type Problem } from './hosts.js';
import { didYouMean } from './nearest.js';
import type { Scenario } from './schema.js';
import type { Path } from './shape.js';

export const FIGURES = [
  'asked',
  'granted',
  'commands',
  'waitedMs',
  'error',
  'errorCause',
  'releaseMs',
  'releaseError',
] as const;
export type Figure = (typeof FIGURES)[number];

/** Those that are names of errors. */
const NAMES: readonly string[] = ['error', 'errorCause', 'releaseError'] satisfies Figure[];

/** What `observe` says that can't be compared with a run. */
export function observationProblems(observe: unknown, path: Path, scenario: Scenario): Problem[] {
  if (!isRecord(observe))
    return [{ path, message: 'expected figures by process, e.g. {"p1": {"granted": 1}}' }];
  const processes = processesOf(scenario);
  return Object.entries(observe).flatMap(([process, figures]): Problem[] => {
    const at = [...path, process];
    if (!processes.includes(process))
      return [
        {
          path: at,
          message: `unknown process${didYouMean(process, processes)}; there are ${processes.join(', ')}`,
        },
      ];
    if (!isRecord(figures)) return [{ path: at, message: `expected some of ${FIGURES.join(', ')}` }];
    return Object.entries(figures).flatMap(([name, expected]) => figureProblems(name, expected, at));
  });
}

function figureProblems(name: string, expected: unknown, path: Path): Problem[] {
  const at = [...path, name];
  if (!FIGURES.some((known) => known === name))
    return [
      { path: at, message: `unknown figure${didYouMean(name, FIGURES)}; known: ${FIGURES.join(', ')}` },
    ];
  if (NAMES.includes(name))
    return typeof expected === 'string' || expected === null
      ? []
      : [{ path: at, message: "expected an error's name, or null for none" }];
  return typeof expected === 'number' || isRange(expected)
    ? []
    : [{ path: at, message: 'expected a number, or [least, most]' }];
}

export function isRange(expected: unknown): expected is [number, number] {
  return (
    Array.isArray(expected) &&
    expected.length === 2 &&
    expected.every((each) => typeof each === 'number') &&
    expected[0]! <= expected[1]!
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
