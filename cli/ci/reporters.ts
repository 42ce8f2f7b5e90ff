/** `--reporter`: what a run leaves for a CI server. */
import path from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { githubAnnotations } from '../../reports/ci/github.js';
import { junitReport } from '../../reports/ci/junit.js';
import type { CiCase } from '../../reports/ci/model.js';
import { writeWhole } from '../../sim/history/file.js';
import { didYouMean } from '../../sim/scenario/nearest.js';
import { note, print } from '../output.js';

const REPORTERS = ['junit', 'github'] as const;
type Reporter = (typeof REPORTERS)[number];

export interface ReporterOptions {
  readonly reporter?: readonly Reporter[];
}

function collectReporter(text: string, before: readonly Reporter[] = []): readonly Reporter[] {
  const reporter = REPORTERS.find((known) => known === text);
  if (reporter !== undefined) return before.includes(reporter) ? before : [...before, reporter];
  throw new InvalidArgumentError(
    `\`${text}\` is no reporter${didYouMean(text, REPORTERS)}; known: ${REPORTERS.join(', ')}.`,
  );
}

export function addReporterOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--reporter <name>',
      'also for a CI server (repeatable): junit writes <verb>.junit.xml to --out, github prints annotations',
    ).argParser<readonly Reporter[]>(collectReporter),
  );
}

/** @param casesOf called only where a reporter wants them */
export function reportToCi(
  verb: string,
  { reporter = [], out, json }: ReporterOptions & { readonly out: string; readonly json?: boolean },
  casesOf: () => readonly CiCase[],
): void {
  if (reporter.length === 0) return;
  const cases = casesOf();
  if (reporter.includes('junit')) {
    const file = path.join(out, `${verb}.junit.xml`);
    writeWhole(file, [junitReport(`lockpick ${verb}`, cases)]);
    note(`JUnit report: ${file}`);
  }
  if (reporter.includes('github')) {
    const annotations = githubAnnotations(`lockpick ${verb}`, cases);
    // A document has stdout to itself; the runner reads both.
    if (annotations !== null) (json === true ? note : print)(annotations);
  }
}
