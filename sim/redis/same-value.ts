/** What an engine stores, compared: structures of the language alone, so that it works in a page as well. */

/** Whether two values hold the same in the same order, however deep. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [itemsOfA, itemsOfB] = [itemsOf(a), itemsOf(b)];
  return itemsOfA.length === itemsOfB.length && itemsOfA.every((item, at) => sameValue(item, itemsOfB[at]));
}

/** Either engine's values are texts, numbers, arrays, sets, maps and objects, also inside each other. */
function itemsOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (value instanceof Set) return [...(value as Set<unknown>)];
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  return Object.entries(value);
}
