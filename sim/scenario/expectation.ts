/** Whether what a scenario expects can be compared with a run at all. */
import type { Problem } from './hosts.js';
import { didYouMean } from './nearest.js';
import { observationProblems } from './observation.js';
import { PROPERTY_IDS, type Scenario } from './schema.js';

const VERDICTS = [
  'holds',
  'unknown',
  ...['library', 'infrastructure', 'lease', 'usage'].map((blame) => `violated/${blame}`),
];

/** Expectations of properties that don't exist, or of verdicts that nothing can have. */
export function expectationProblems(scenario: Scenario): Problem[] {
  return Object.entries(scenario.expect).flatMap(([lock, expected]) =>
    Object.entries(expected).flatMap(([property, verdict]): Problem[] => {
      const path = ['expect', lock, property];
      if (property === 'observe') return observationProblems(verdict, path, scenario);
      if (!PROPERTY_IDS.some((known) => known === property))
        return [
          {
            path,
            message: `unknown property${didYouMean(property, PROPERTY_IDS)}; known: ${PROPERTY_IDS.join(', ')}`,
          },
        ];
      if (typeof verdict === 'string' && VERDICTS.includes(verdict)) return [];
      const written = typeof verdict === 'string' ? didYouMean(verdict, VERDICTS) : '';
      const message = `expected one of ${VERDICTS.join(', ')}, not ${JSON.stringify(verdict)}${written}`;
      return [{ path, message }];
    }),
  );
}
