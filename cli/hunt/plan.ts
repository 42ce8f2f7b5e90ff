/** A hunt, ready to begin: what it looks for, with which lock, where its files go. */
import path from 'node:path';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import type { Blame } from '../../properties/verdict.js';
import type { LoadedLock } from '../../sim/load.js';
import { load } from '../execute.js';
import { BLAMES } from '../options.js';
import { checkLockName } from '../resolve.js';
import { boundsOf, checkTogether, specOf, type HuntOptions } from './options.js';

export interface HuntPlan {
  readonly spec: HuntSpec;
  readonly lock: LoadedLock;
  /** The first run, and one more than the last; Infinity where only time ends it. */
  readonly from: number;
  readonly to: number;
  readonly timeLimitMs: number | null;
  /** Blames that make a hunt red. */
  readonly failOn: readonly Blame[];
  readonly jobs: number;
  readonly out: string;
  /** The directory of the counterexamples. */
  readonly corpus: string;
  /** One part of several tries the corpus: a finding of one part must not be known before to another. */
  readonly triesCorpus: boolean;
}

/**
 * @param blamesGiven false: `--fail-on` is only the default; inside the lock's own assumptions nothing may be violated then, whoever
 * is to blame
 */
export async function planHunt(options: HuntOptions, blamesGiven: boolean): Promise<HuntPlan> {
  checkTogether(options);
  checkLockName(options.lock);
  const { assume, out, corpus = path.join(out, 'corpus'), timeLimit = null, jobs } = options;
  return {
    spec: specOf(options),
    lock: await load(options.lock),
    ...boundsOf(options),
    timeLimitMs: timeLimit,
    failOn: assume === 'bounded' && !blamesGiven ? BLAMES : options.failOn,
    jobs,
    out,
    corpus,
    triesCorpus: (options.shard?.index ?? 1) === 1,
  };
}
