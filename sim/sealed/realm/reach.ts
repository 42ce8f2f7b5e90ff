/**
 * What a program's text can reach of its realm, so that an instance is given that and no more. The scan is of text, not
 * of syntax: where it cannot be sure, everything is in reach. What is left out is what no code of the text could find.
 */

export interface Reach {
  /** Nothing leads to a class of the realm but `new AbortController()`: instances may share what is behind it. */
  readonly sharesClasses: boolean;
  /** `Date.now()` and nothing else of `Date`. */
  readonly onlyReadsDate: boolean;
  /** `util.promisify`, or its symbol, may be put to a timer. */
  readonly promisifies: boolean;
  /** The members called, by module, where all uses of the module are in sight; a module not named here is wanted whole. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
}

const WHOLE: Reach = { sharesClasses: false, onlyReadsDate: false, promisifies: true, members: new Map() };

const WORD = /[A-Za-z_$][\w$]*/g;
/** A member (`a.Date`), not the name after a spread. */
const MEMBER = /(?<!\.)\.[A-Za-z_$][\w$]*/g;
const REQUIRED = /\brequire\("(?:node:)?[\w/]+"\)/g;

/** The words of a text that may be names by themselves: not members, not modules (`require("crypto")`). */
export function freeWords(text: string): ReadonlySet<string> {
  return new Set(text.replace(REQUIRED, 'require()').replace(MEMBER, '.').match(WORD));
}

/** Ways to compile text at run time, and to look up a name that was made at run time. */
const OPEN = ['Function', 'eval', 'globalThis', 'global', 'self'];
const WAYS_TO_CLASSES = ['AbortSignal', 'Event', 'EventTarget', 'CustomEvent'];
const WAYS_TO_PROTOTYPES =
  /\.\s*constructor\b|["'`]constructor\b|\b[gs]etPrototypeOf\b|__proto__|__lookup|\bisPrototypeOf\b|\binstanceof AbortController\b/;
const CONTROLLER = /\bAbortController\b/g;
const NEW_CONTROLLER = /\bnew AbortController\(\)/g;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** `var import_node_crypto = require("node:crypto");`: how the bundler writes a named import. */
const IMPORT = /^var ([\w$]+) = require\("(?:node:)?([\w/]+)"\);$/gm;
const REQUIRE = /\brequire\b/g;
/** `super(...arguments)` is how the bundler writes a constructor: not the module's own arguments. */
const OTHER_REQUIRES =
  /\b(createRequire|getBuiltinModule|__lockpick_require)\b|(?<!\bsuper\(\.\.\.)\barguments\b(?!:)|\bmodule\b(?!\.exports\b)/;

function membersOf(source: string): Map<string, Set<string>> {
  const members = new Map<string, Set<string>>();
  const imports = [...source.matchAll(IMPORT)] as unknown as [string, string, string][];
  if (imports.length !== count(source, REQUIRE) || OTHER_REQUIRES.test(source)) return members;
  const wanted = new Set<string>();
  for (const [, variable, module] of imports) {
    const name = variable.replaceAll('$', '\\$');
    const uses = count(source, new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'));
    const calls = [...source.matchAll(new RegExp(`\\(0, ${name}\\.([\\w$]+)\\)\\(`, 'g'))];
    if (uses !== calls.length + 1) wanted.add(module);
    const known = members.get(module) ?? new Set<string>();
    for (const [, member] of calls) known.add(member as string);
    members.set(module, known);
  }
  for (const module of wanted) members.delete(module);
  return members;
}

/** Looks through a bundle's source, once for all its instances. */
export function reachOf(source: string): Reach {
  const words = freeWords(source);
  if (OPEN.some((word) => words.has(word))) return WHOLE;
  return {
    sharesClasses:
      !WAYS_TO_CLASSES.some((word) => words.has(word)) &&
      !WAYS_TO_PROTOTYPES.test(source) &&
      count(source, CONTROLLER) === count(source, NEW_CONTROLLER),
    onlyReadsDate:
      !words.has('structuredClone') &&
      count(source, /\bDate\b/g) === count(source, /(?<![.\w$])Date\.now\(\)/g),
    promisifies: source.includes('promisify'),
    members: membersOf(source),
  };
}
