import type * as z from 'zod';
import { clusterProblems } from './cluster.js';
import { engineProblems } from './engine.js';
import { expectationProblems } from './expectation.js';
import { hostProblems, type Problem } from './hosts.js';
import { didYouMean } from './nearest.js';
import { scenarioSchema, type Scenario } from './schema.js';
import { serverProblems } from './servers.js';
import { describeAt, namesAt, showPath, valueAt, wordsAt, type Path } from './shape.js';
import { transportProblems } from './transport.js';
import { workloadProblems } from './workload.js';

/** A scenario that can't be run; the message has one line for each problem: where, what, what is allowed, what is near. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  constructor(
    source: string,
    readonly problems: readonly Problem[],
  ) {
    super(
      problems
        .map(({ path, message }) => `${source}: ${path.length === 0 ? '' : `${showPath(path)}: `}${message}`)
        .join('\n'),
    );
  }
}

/**
 * Reads a scenario: fills in the defaults, refuses what it doesn't know, and checks that every host it names exists.
 * @param source what messages call it: a file, an id
 * @throws ScenarioError
 */
export function parseScenario(input: unknown, source = 'scenario'): Scenario {
  const parsed = scenarioSchema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.flatMap((issue) => explain(issue, input));
    throw new ScenarioError(source, problems);
  }
  const problems = [
    ...hostProblems(parsed.data),
    ...engineProblems(parsed.data),
    ...clusterProblems(parsed.data),
    ...serverProblems(parsed.data),
    ...expectationProblems(parsed.data),
    ...transportProblems(parsed.data),
    ...workloadProblems(parsed.data),
  ];
  if (problems.length > 0) throw new ScenarioError(source, problems);
  return parsed.data;
}

function explain(issue: z.core.$ZodIssue, input: unknown): Problem[] {
  const path = issue.path as Path;
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: [...path, key], message: unknownName(key, path, input) }));
    case 'invalid_key':
      return [{ path, message: issue.issues[0]?.message ?? issue.message }];
    case 'custom':
      return [{ path, message: issue.message }];
    case 'invalid_format':
      return [
        {
          path,
          message: issue.message.startsWith('Invalid')
            ? expected(path, input)
            : `${issue.message}, not ${shown(path, input)}`,
        },
      ];
    default:
      return [{ path, message: expected(path, input) }];
  }
}

function unknownName(key: string, path: Path, input: unknown): string {
  const known = namesAt(path, input);
  return `unknown name${didYouMean(key, known)}; known here: ${known.join(', ')}`;
}

function expected(path: Path, input: unknown): string {
  const value = valueAt(path, input);
  const hint = typeof value === 'string' ? didYouMean(value, wordsAt(path, input)) : '';
  const what = describeAt(path, input);
  return value === undefined ? `is missing: ${what}` : `expected ${what}, not ${shown(path, input)}${hint}`;
}

function shown(path: Path, input: unknown): string {
  const text = JSON.stringify(valueAt(path, input)) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
