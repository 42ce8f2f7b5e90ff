/** Cases as JUnit's XML, which CI servers read. Needs a package that needs Node. */
import commonJs from 'junit-report-builder';
import type { CiCase } from './model.js';

/** The package is CommonJS, and its declarations are written as if it were not. */
const builder = commonJs as unknown as (typeof commonJs)['default'];

/** A violation is a failure, what could not be told an error: neither lets a build pass as green. */
export function junitReport(name: string, cases: readonly CiCase[]): string {
  const report = builder.newBuilder();
  const suites = new Map<string, ReturnType<typeof report.testSuite>>();
  for (const { suite: title, name: test, result, message, command, place } of cases) {
    let suite = suites.get(title);
    if (suite === undefined) suites.set(title, (suite = report.testSuite().name(`${name}: ${title}`)));
    const made = suite.testCase().className(title).name(test);
    if (place !== undefined) made.file(place.line === undefined ? place.file : `${place.file}:${place.line}`);
    if (result === 'failed') made.failure(plain(message), 'violation');
    if (result === 'unknown') made.error(plain(message), 'unknown');
    if (result === 'skipped') made.skipped();
    if (command !== undefined) made.standardOutput(plain(`again: ${command}`));
  }
  return `${report.build()}\n`;
}

/** Characters that XML cannot carry at all: a lock may put anything into its errors. */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
}
