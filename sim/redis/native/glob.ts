import type { Bytes } from '../keyspace.js';

/**
 * Redis's patterns: `*`, `?`, `[a-z]`, `[^a]`, and `\` before a character taken literally. Nothing but the empty pattern
 * matches the empty text.
 */
export function matchesGlob(pattern: Bytes, text: Bytes): boolean {
  if (text === '') return pattern === '';
  return match(pattern, 0, text, 0);
}

function match(pattern: Bytes, p: number, text: Bytes, t: number): boolean {
  while (p < pattern.length) {
    const c = pattern[p]!;
    if (c === '*') {
      while (pattern[p + 1] === '*') p++;
      if (p + 1 === pattern.length) return true;
      for (let rest = t; rest <= text.length; rest++) if (match(pattern, p + 1, text, rest)) return true;
      return false;
    }
    if (t >= text.length) return false;
    if (c === '[') {
      const end = matchClass(pattern, p, text.charCodeAt(t));
      if (end < 0) return false;
      p = end;
    } else {
      if (c === '\\' && p + 1 < pattern.length) p++;
      if (c !== '?' && pattern[p] !== text[t]) return false;
      p++;
    }
    t++;
  }
  return t === text.length;
}

/** Position after the class that begins at `p`, or -1: `code` is not of it. */
function matchClass(pattern: Bytes, p: number, code: number): number {
  p++;
  const negated = pattern[p] === '^';
  if (negated) p++;
  let found = false;
  for (; p < pattern.length && pattern[p] !== ']'; p++) {
    if (pattern[p] === '\\' && p + 1 < pattern.length) {
      p++;
      if (pattern.charCodeAt(p) === code) found = true;
    } else if (pattern[p + 1] === '-' && p + 2 < pattern.length) {
      const a = pattern.charCodeAt(p);
      const b = pattern.charCodeAt(p + 2);
      if (code >= Math.min(a, b) && code <= Math.max(a, b)) found = true;
      p += 2;
    } else if (pattern.charCodeAt(p) === code) {
      found = true;
    }
  }
  return found === negated ? -1 : Math.min(p + 1, pattern.length);
}
