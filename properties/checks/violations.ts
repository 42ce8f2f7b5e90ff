/** From the violations that a checker found to its verdict. */
import type { Blame, Verdict, Violation } from '../verdict.js';

/** So many violations of one property are judged in a run; further ones could only repeat what is known. */
const JUDGED = 24;

/** Collects the violations of one property; the first in true time speaks for the run, with the first of each other blame. */
export class Violations {
  private readonly found: Violation[] = [];

  get full(): boolean {
    return this.found.length >= JUDGED;
  }

  get any(): boolean {
    return this.found.length > 0;
  }

  add(violation: Violation): void {
    this.found.push(violation);
  }

  /** Only if there are any. */
  verdict(evaluated: number): Verdict {
    const ordered = [...this.found].sort((a, b) => a.atUs - b.atUs);
    const first = ordered[0]!;
    const blames = new Set<Blame>([first.blame]);
    const also: Violation[] = [];
    for (const violation of ordered) {
      if (blames.has(violation.blame)) continue;
      blames.add(violation.blame);
      also.push(violation);
    }
    const verdict = { verdict: 'violated' as const, ...first, evaluated: Math.max(evaluated, 1) };
    return also.length === 0 ? verdict : { ...verdict, also };
  }
}
