/** Verdicts that several rows share. */
import type { ScenarioInput } from '../../scenario/schema.js';

type Expectation = NonNullable<ScenarioInput['expect']>[string];

/** A lock that keeps its word towards servers and holders, whatever the holder then does. */
export const HONEST: Expectation = {
  'own-key-only': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
};

/** Everything that is judged of a section with uses, clean. */
export const SAFE: Expectation = {
  ...HONEST,
  'mutual-exclusion': 'holds',
  'exclusive-use': 'holds',
  'no-stale-write': 'holds',
};

/** Two holders at once, both at work, with the same blame throughout. */
export function broken(blame: 'infrastructure' | 'library'): Expectation {
  return {
    'mutual-exclusion': `violated/${blame}`,
    'exclusive-use': `violated/${blame}`,
    'no-stale-write': `violated/${blame}`,
  };
}
