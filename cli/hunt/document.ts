/** The document of a hunt, `lockpick/hunt@1`. */
import type { Finding } from '../../properties/search/hunt/findings.js';
import { showSetting } from '../../sim/scenario/set-path.js';
import { VERSION } from '../../sim/version.js';
import type { Shard } from '../flags.js';
import type { Hunted } from './conduct.js';
import type { Kept } from './keep.js';
import type { HuntOutcome } from './outcome.js';

/** One property and blame: its smallest finding, and those of other causes. */
export interface FindingGroup {
  readonly first: Kept;
  readonly also: readonly Kept[];
}

/** @param kept the smallest first; the groups keep that order */
export function groupFindings(kept: readonly Kept[]): readonly FindingGroup[] {
  const groups = new Map<string, { first: Kept; also: Kept[] }>();
  for (const one of kept) {
    const key = `${one.finding.property} ${one.finding.blame}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { first: one, also: [] });
    else group.also.push(one);
  }
  return [...groups.values()];
}

export interface HuntFacts {
  readonly hunted: Hunted;
  readonly kept: readonly Kept[];
  readonly outcome: HuntOutcome;
  readonly failOn: readonly string[];
  readonly jobs: number;
  readonly shard: { readonly file: string; readonly shard: Shard } | null;
}

export function huntDocument({ hunted, kept, outcome, failOn, shard }: HuntFacts): object {
  const { spec, range, seconds, lostRuns, corpus, missing, gone, lost, interrupted } = hunted;
  const runs = range?.runs ?? 0;
  return {
    format: 'lockpick/hunt@1',
    lock: spec.lock,
    seed: spec.seed,
    assume: spec.assume,
    faults: spec.kinds,
    properties: spec.properties,
    settings: spec.sets.map(showSetting),
    failOn,
    runs,
    events: range?.events ?? 0,
    seconds,
    runsPerSecond: seconds > 0 ? runs / seconds : 0,
    coverage: range?.coverage ?? null,
    missing,
    findings: groupFindings(kept).map(({ first, also }) => ({
      ...findingDocument(first),
      also: also.map(findingDocument),
    })),
    notReproduced: gone,
    notMinimised: lost.map(({ raw, message }) => ({ ...raw, message })),
    corpus,
    lostRuns,
    reuse: spec.reuse,
    shard: shard === null ? null : { ...shard.shard, file: shard.file },
    asExpected: outcome.asExpected,
    reasons: outcome.reasons,
    interrupted,
    lockpick: VERSION,
  };
}

function findingDocument({ finding, file }: Kept): object {
  const { property, blame, cause, run, reason, faults, digest, verdicts } = finding satisfies Finding;
  const seed = finding.scenario.seed ?? null;
  return { property, blame, cause, seed, run, faults, reason, verdicts, digest, counterexample: file };
}
