/** What a CI server is told: cases that came out as they should or did not. */

/** A place in a file that a person can open; lines count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
}

export interface CiCase {
  /** What was tried: a scenario, a hunt. */
  readonly suite: string;
  readonly name: string;
  /** `skipped`: of no concern here. */
  readonly result: 'passed' | 'failed' | 'unknown' | 'skipped';
  /** In one sentence; empty where it passed. */
  readonly message: string;
  /** The command that shows it again. */
  readonly command?: string;
  readonly place?: Place;
}
