/** The classes of keyspace notifications that `notify-keyspace-events` selects, by their letters. */
const LETTERS = 'g$lshzxetdmnKE';
/** What `A` stands for. */
const ALL = 'g$lshzxetd';

/** The letters selected, in Redis's order, or undefined: there are others. */
export function parseEvents(text: string): ReadonlySet<string> | undefined {
  const selected = new Set<string>();
  for (const letter of text) {
    if (letter === 'A') for (const each of ALL) selected.add(each);
    else if (LETTERS.includes(letter)) selected.add(letter);
    else return undefined;
  }
  return selected;
}

export function formatEvents(selected: ReadonlySet<string> | undefined): string | undefined {
  if (selected === undefined) return undefined;
  const isAll = [...ALL].every((letter) => selected.has(letter));
  const classes = isAll ? 'A' : [...ALL].filter((letter) => selected.has(letter)).join('');
  return classes + ['n', 'K', 'E', 'm'].filter((letter) => selected.has(letter)).join('');
}
