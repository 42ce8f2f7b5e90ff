/** Edit distance in which an exchange of two neighbouring letters counts once (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}

/**
 * The known word nearest to what was written, or undefined if none is near: case is ignored, a word that contains the
 * written one (or the other way round) is near, else about one edit for every three letters is allowed.
 */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase();
  let best: string | undefined;
  let bestScore = Infinity;
  for (const word of known) {
    const candidate = word.toLowerCase();
    const distance = editDistance(wanted, candidate);
    const contains = wanted.length >= 3 && (candidate.includes(wanted) || wanted.includes(candidate));
    const near =
      contains || distance <= Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 3));
    const score = distance - (contains ? 0.5 : 0);
    if (near && score < bestScore) {
      best = word;
      bestScore = score;
    }
  }
  return best;
}

/** ` (did you mean x?)`, or nothing when no known word is near. */
export function didYouMean(written: string, known: Iterable<string>): string {
  const word = nearest(written, known);
  return word === undefined ? '' : ` (did you mean ${word}?)`;
}
