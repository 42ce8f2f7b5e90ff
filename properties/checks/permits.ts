/** At no instant do more holds of a resource believe than the semaphore has permits. */
import { byBeginning, type Belief } from '../analysis/beliefs.js';
import type { Analysis, Hold, Resource } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { permitsFinding } from '../blame/permits.js';
import type { Violation } from '../verdict.js';
import { unknown, type Check } from './check.js';
import { Violations } from './violations.js';

export const checkPermits: Check = (analysis) => {
  const { permits } = analysis;
  const violations = new Violations();
  let evaluated = 0;
  for (const resource of analysis.resources) {
    if (resource.crowd <= permits) continue;
    evaluated += resource.grants.length;
    findCrowds(analysis, resource, violations);
  }
  if (violations.any) return violations.verdict(evaluated);
  if (evaluated > 0) return { verdict: 'holds', evaluated };
  const none = analysis.grants.length === 0;
  return unknown(none ? 'no permit was granted' : `no more than ${permits} attempts met`);
};

/** Every instant at which a belief begins that is one too many: sort by beginning, sweep with those under way. */
function findCrowds(analysis: Analysis, resource: Resource, violations: Violations): void {
  let running: Belief[] = [];
  for (const interval of byBeginning(resource.grants)) {
    running = running.filter(({ untilUs }) => untilUs > interval.fromUs);
    running.push(interval);
    if (running.length <= analysis.permits) continue;
    const holds = running.map(({ hold }) => hold);
    violations.add(violation(analysis, holds, interval.fromUs));
    if (violations.full) return;
  }
}

function violation(analysis: Analysis, crowd: readonly Hold[], atUs: number): Violation {
  const { permits } = analysis;
  const { resource } = crowd[0]!;
  const index = Math.max(...crowd.map(({ ok }) => ok!.i));
  const found = permitsFinding(analysis, crowd, { tUs: atUs, sentUs: null, index });
  const names = crowd.map(({ id }) => id);
  const others = names.filter((id) => id !== found.loser.id);
  return {
    blame: found.blame,
    reason: `${names.join(', ')} all believe to hold ${resource.name}, which has ${permits} permits, from ${ms(atUs)}: ${found.because}`,
    atUs,
    evidence: evidence(...crowd.map(({ ok }) => ok!.i), ...found.evidence),
    holds: [found.loser.id, ...others],
  };
}
