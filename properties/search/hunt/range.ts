/** The result of a range of runs, as plain data that travels between threads and machines. */
import { CoverageSum, type HuntCoverage } from './coverage.js';
import type { RawFinding } from './findings.js';

export interface HuntRange {
  /** The least run that is in it. */
  readonly from: number;
  /** One more than the greatest. */
  readonly to: number;
  readonly runs: number;
  /** Kernel events of all runs; repetitions do not count. */
  readonly events: number;
  readonly coverage: HuntCoverage;
  /** For each key the finding of the lowest run, in order of keys. */
  readonly findings: readonly RawFinding[];
}

/** The lowest run of each key. */
export function lowestOfEach(findings: Iterable<RawFinding>): RawFinding[] {
  const lowest = new Map<string, RawFinding>();
  for (const finding of findings) {
    const known = lowest.get(finding.key);
    if (known === undefined || finding.run < known.run) lowest.set(finding.key, finding);
  }
  return [...lowest.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Associative and commutative: the result does not depend on how the runs were cut into ranges. */
export function mergeRanges(a: HuntRange, b: HuntRange): HuntRange {
  const coverage = new CoverageSum();
  coverage.addSum(a.coverage);
  coverage.addSum(b.coverage);
  return {
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    runs: a.runs + b.runs,
    events: a.events + b.events,
    coverage: coverage.sum(),
    findings: lowestOfEach([...a.findings, ...b.findings]),
  };
}
