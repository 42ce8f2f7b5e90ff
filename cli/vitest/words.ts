/** Options of tests, checked as flags are: a wrong word is refused with the nearest right one. */
import { didYouMean } from '../../sim/scenario/nearest.js';

/** @throws TypeError */
export function checkWords(
  who: string,
  what: string,
  words: readonly string[],
  known: readonly string[],
): void {
  if (words.length === 0) throw new TypeError(`${who} wants at least one ${what} of: ${known.join(', ')}`);
  for (const word of words)
    if (!known.includes(word))
      throw new TypeError(
        `${who}: \`${word}\` is no ${what}${didYouMean(word, known)}; known: ${known.join(', ')}`,
      );
}

export function listOf<T>(words: T | readonly T[]): readonly T[] {
  return Array.isArray(words) ? (words as readonly T[]) : [words as T];
}
