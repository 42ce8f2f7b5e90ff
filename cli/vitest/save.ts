/** What is kept of a violation that fails a test, and what is told of it. */
import path from 'node:path';
import type { Verdicts, Violation } from '../../properties/verdict.js';
import { terminalReport } from '../../reports/terminal/report.js';
import type { Change } from '../../reports/view/remedy.js';
import { CATALOGUE } from '../../sim/catalogue/index.js';
import { digest } from '../../sim/history/digest.js';
import type { History } from '../../sim/history/events.js';
import { writeCounterexample, writeHistory } from '../../sim/history/file.js';
import type { PropertyId, Scenario } from '../../sim/scenario/schema.js';
import { LOCKS } from '../../src/registry.js';
import { counterexampleOf, fileStem, violationsOf } from '../execute.js';
import { untriggeredFaults } from '../inconclusive.js';
import { shellWord } from '../output.js';
import { catalogueEntryOf } from '../resolve.js';

export interface Kept {
  readonly history: History;
  readonly verdicts: Verdicts;
  /** The violation that the file stands for. */
  readonly about: readonly [PropertyId, Violation];
  /** The directory for files. */
  readonly out: string;
  /** The test that failed: its name tells the files of scenarios apart that are not the catalogue's. */
  readonly test?: string;
  /** What would change it, where that was tried. */
  readonly changes?: readonly Change[];
}

/** File systems bear 255; the rest is for endings. */
const LONGEST_NAME = 120;

/** Writes history and counterexample, and returns the terminal's report with the line that replays it. */
export function saveCounterexample({ history, verdicts, about, out, test, changes }: Kept): string {
  const { scenario, lock } = history.header;
  const digestHex = digest(history);
  const stem = path.join(out, stemOf(scenario, digestHex, test));
  const files = { history: `${stem}.history.jsonl` };
  writeHistory(files.history, history);
  const file = `${stem}.counterexample.json`;
  writeCounterexample(file, counterexampleOf(history, digestHex, violationsOf(verdicts), out, about));
  const [property, { blame }] = about;
  const title = CATALOGUE.find((entry) => entry.scenario.id === scenario.id)?.title;
  const mistake = LOCKS.find(({ name }) => name === lock.name)?.mistake;
  return terminalReport(history, verdicts, {
    width: 100,
    paint: (_style, text) => text,
    replay: ['npx', 'lockpick', 'replay', file].map(shellWord).join(' '),
    outcome: {
      asExpected: false,
      rule: 'fail-on',
      mismatches: [{ property, expected: 'holds', found: `violated/${blame}` }],
      untriggered: untriggeredFaults(history),
      unknownBecause: null,
    },
    files,
    about,
    changes,
    ...(title === undefined ? {} : { title }),
    ...(mistake === undefined ? {} : { mistake }),
  });
}

/**
 * A generated scenario fails many times while it is made smaller; each time the file takes the place of the one before, and the last
 * is the smallest.
 */
function stemOf(scenario: Scenario, digestHex: string, test: string | undefined): string {
  if (test === undefined || catalogueEntryOf(scenario) !== undefined) return fileStem(scenario, digestHex);
  const words = test
    .replace(/[^\w.@-]+/g, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, LONGEST_NAME);
  return words === '' ? fileStem(scenario, digestHex) : words;
}
