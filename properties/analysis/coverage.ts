/** What a run exercised. */
import type { PropertyId } from '../../sim/scenario/schema.js';
import type { Coverage, Verdict } from '../verdict.js';
import type { Analysis } from './model.js';

export function coverageOf(analysis: Analysis, verdicts: Readonly<Record<PropertyId, Verdict>>): Coverage {
  const { figures, grants } = analysis;
  let contended = 0;
  for (let index = 0; index < grants.length; index++) if (grants[index]!.contended) contended++;
  const evaluated = {} as Record<PropertyId, number>;
  for (const id in verdicts) {
    const verdict = verdicts[id as PropertyId];
    evaluated[id as PropertyId] = verdict.verdict === 'unknown' ? 0 : verdict.evaluated;
  }
  return {
    acquisitions: grants.length,
    contended,
    faultsStruck: figures.faultsStruck,
    faultsWhileHeld: figures.faultsWhileHeld,
    expiriesDuringWork: figures.expiriesDuringWork,
    unreplicatedFailovers: figures.unreplicatedFailovers,
    evaluated,
  };
}
