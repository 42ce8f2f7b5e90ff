/**
 * Shorthand for what a row expects and where it flips. Expectations are derived from the catalogue's inequalities, never
 * copied from a run; what disagreed with a run is written down in docs/disagreements.md.
 */
import type { PropertyId, ScenarioInput } from '../scenario/schema.js';
import type { Boundary, Control } from './entry.js';

/** Locks without a deliberate mistake; the quorum locks run on one server where a row has one. */
export const SOUND_LOCKS = ['single', 'single-fenced', 'redlock', 'redlock-fenced', 'redlock@4.2.0'] as const;

/** Those that measure on the monotonic clock and promise a signal when the lock is lost. */
export const REFERENCE_LOCKS = ['single', 'single-fenced', 'redlock', 'redlock-fenced'] as const;

/** Those whose grants carry a token. */
export const FENCED_LOCKS = ['single-fenced', 'redlock-fenced'] as const;

/** Verdicts, and figures of processes where a row is about what no property says. */
type Verdicts = Partial<Record<PropertyId, string>> & { readonly observe?: Record<string, unknown> };
type Expectation = NonNullable<ScenarioInput['expect']>;

/** The same verdicts for each of the locks. */
export function each(locks: readonly string[], verdicts: Verdicts): Expectation {
  return Object.fromEntries(locks.map((lock) => [lock, { ...verdicts }]));
}

/** All expectations of a row; later ones add to and overrule earlier ones of the same lock. */
export function expecting(...parts: readonly Expectation[]): Expectation {
  const all: Expectation = {};
  for (const part of parts)
    for (const [lock, verdicts] of Object.entries(part)) all[lock] = { ...all[lock], ...verdicts };
  return all;
}

/** What a sound lock owes in every row, whatever happens to it: its word to servers and holders. */
export const KEEPS_ITS_WORD = {
  'own-key-only': 'holds',
  'quorum-backed': 'holds',
  'honest-validity': 'holds',
  quiet: 'holds',
} as const satisfies Verdicts;

/** What all sound locks share in a row, beside keeping their word: signals come in time, tokens rise. */
export function sound(verdicts: Verdicts): Expectation {
  return expecting(
    each(SOUND_LOCKS, { ...KEEPS_ITS_WORD, ...verdicts }),
    each(REFERENCE_LOCKS, { 'loss-signalled': 'holds' }),
    each(FENCED_LOCKS, { 'fencing-order': 'holds' }),
  );
}

/** The same boundary for each of the locks and properties. */
export function boundaries(
  locks: readonly string[],
  properties: readonly PropertyId[],
  boundary: Omit<Boundary, 'lock' | 'property'>,
): Boundary[] {
  return locks.flatMap((lock) => properties.map((property) => ({ ...boundary, lock, property })));
}

/** The same control for each of the locks. */
export function controls(locks: readonly string[], control: Omit<Control, 'lock'>): Control[] {
  return locks.map((lock) => ({ ...control, lock }));
}
