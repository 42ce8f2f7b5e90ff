/** What is kept of a violation that fails a test, and what is told of it. */
import path from 'node:path';
import type { Verdicts, Violation } from '../../properties/verdict.js';
import { terminalReport } from '../../reports/terminal/report.js';
import type { Change } from '../../reports/view/remedy.js';
import { CATALOGUE } from '../../sim/catalogue/index.js';
import { digest } from '../../sim/history/digest.js';
import type { History } from '../../sim/history/events.js';
import { writeCounterexample, writeHistory } from '../../sim/history/file.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import { LOCKS } from '../../src/registry.js';
import { counterexampleOf, fileStem, violationsOf } from '../execute.js';
import { untriggeredFaults } from '../inconclusive.js';
import { shellWord } from '../output.js';

export interface Kept {
  readonly history: History;
  readonly verdicts: Verdicts;
  /** The violation that the file stands for. */
  readonly about: readonly [PropertyId, Violation];
  /** The directory for files. */
  readonly out: string;
  /** What would change it, where that was tried. */
  readonly changes?: readonly Change[];
}

/** Writes history and counterexample, and returns the terminal's report with the line that replays it. */
export function saveCounterexample({ history, verdicts, about, out, changes }: Kept): string {
  const { scenario, lock } = history.header;
  const digestHex = digest(history);
  const stem = path.join(out, fileStem(scenario, digestHex));
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
    changes,
    ...(title === undefined ? {} : { title }),
    ...(mistake === undefined ? {} : { mistake }),
  });
}
