/** docs/sealed.md, generated from the surface's table. */
import { GLOBALS, MEMBERS, MODULES } from './surface.js';
import type { SurfaceEntry } from './surface.js';

const INTRODUCTION = `# What a sealed process sees

<!-- Generated from sim/sealed/surface.ts. Change it there, then: UPDATE_DOCS=1 npx vitest run --config .config/vitest.config.ts sim/sealed/surface -->

A lock module is bundled once, with all it imports, into one function whose free names are its parameters. Each simulated
process is an instance of its own, with a clock, timers, random streams and module state of its own. The program is the file
that production runs: nothing is injected.

**This gives determinism, not security.** The seal keeps an honest program from telling one run from another by accident. It
does not hold a program that wants out: run only code you would run anyway.

- *virtual*: answered by the simulation.
- *refused*: there, so that a program loads; using it ends the run with \`the program tried to leave the simulation: net.connect
  to 10.0.0.1:6379\` and the program's own stack.
- *passed*: the host's own, because its results depend on its arguments alone.

What is not listed does not exist inside: a global is \`undefined\`, a module is not found (code \`MODULE_NOT_FOUND\`, as optional
requires expect).

While a run's synchronous code executes, the host's own clocks, timers, random sources and ways out are swapped for tripwires,
so that a way around the seal (\`Function('return this')()\`, a sloppy \`this\`) ends the run too; they are back before the event loop
turns. Variables assigned without a declaration end the run. A module that changes a built-in while it loads is refused, and
the change is undone.
`;

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function noted(entries: Readonly<Record<string, SurfaceEntry>>): string {
  const rows = Object.entries(entries)
    .filter(([, entry]) => entry.note !== undefined)
    .map(([name, { how, note }]) => `| \`${name}\` | ${how} | ${cell(note ?? '')} |`);
  return ['| name | | |', '|---|---|---|', ...rows].join('\n');
}

function plain(entries: Readonly<Record<string, SurfaceEntry>>, how: string): string {
  const names = Object.keys(entries).filter(
    (name) => entries[name]?.how === how && entries[name]?.note === undefined,
  );
  return names.map((name) => `\`${name}\``).join(', ');
}

/** The page's text. */
export function surfacePage(): string {
  return `${INTRODUCTION}
## Globals

${noted(GLOBALS)}

Refused: ${plain(GLOBALS, 'refused')}.

Passed: ${plain(GLOBALS, 'passed')}.

## Modules

With and without \`node:\`.

${noted(MODULES)}

Refused: ${plain(MODULES, 'refused')}.

Passed: ${plain(MODULES, 'passed')}.

## Members

${noted(MEMBERS)}

## Known gaps

- A name that a package defines on a class of the language so that it cannot be removed stays for all later processes of the
  thread. Bluebird does so with its error classes (\`Error.__BluebirdErrorTypes__\`); they hold no state.
- \`eval\` compiles in global scope, also where the call is direct.
- A property set on \`globalThis\` is not visible as a bare name.
- Errors carry the machine's paths in their stacks; histories keep names, codes and first lines only.
- Where the engine has no synchronous drain, microtasks run outside the tripwires.
`;
}
