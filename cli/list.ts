import { Argument, type Command } from 'commander';
import { CATALOGUE } from '../sim/catalogue/index.js';
import { LOCKS } from '../src/registry.js';
import { FAULTS, PROPERTIES } from './glossary.js';
import { painter, print, printJson, wantsColour, type Paint } from './output.js';

const KINDS = ['scenarios', 'locks', 'properties', 'faults'] as const;
type Kind = (typeof KINDS)[number];

export function addListVerb(program: Command): void {
  program
    .command('list')
    .description('list scenarios, locks, properties and faults')
    .addArgument(new Argument('[kind]', 'only one of them').choices(KINDS))
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', '\nExamples:\n  lockpick list\n  lockpick list locks\n  lockpick list --json')
    .action((kind: Kind | undefined, options: { json?: boolean }) => {
      if (options.json === true) printJson(listDocument());
      else print(listText(kind, painter(wantsColour(process.stdout))));
    });
}

function listDocument(): object {
  return {
    format: 'lockpick/list@1',
    scenarios: CATALOGUE.map(({ scenario, title, question, takeaway, source, boundaries }) => ({
      id: scenario.id,
      title,
      question,
      takeaway,
      source,
      lock: scenario.lock?.name ?? 'single',
      expect: scenario.expect ?? {},
      boundaries: boundaries.map(({ lock, property, path, closedForm, verdict }) => ({
        lock,
        property,
        path,
        closedForm,
        verdict,
      })),
    })),
    locks: LOCKS.map(({ name, title, kind, servers, mistake, npm }) => ({
      name,
      title,
      kind,
      servers,
      mistake: mistake ?? null,
      npm: npm ?? null,
    })),
    properties: Object.entries(PROPERTIES).map(([id, holdsWhen]) => ({ id, holdsWhen })),
    faults: Object.entries(FAULTS).map(([id, { what, fields }]) => ({ id, what, fields })),
  };
}

interface Section {
  readonly kind: Kind;
  readonly rows: readonly (readonly [string, string])[];
}

function sections(): readonly Section[] {
  return [
    { kind: 'scenarios', rows: CATALOGUE.map(({ scenario, title }) => [scenario.id, title]) },
    { kind: 'locks', rows: LOCKS.map(({ name, title, mistake }) => [name, mistake ?? title]) },
    { kind: 'properties', rows: Object.entries(PROPERTIES) },
    {
      kind: 'faults',
      rows: Object.entries(FAULTS).map(([id, { what, fields }]) => [id, `${what} (${fields.join(', ')})`]),
    },
  ];
}

function listText(kind: Kind | undefined, paint: Paint): string {
  return sections()
    .filter((section) => kind === undefined || section.kind === kind)
    .map(({ kind: title, rows }) => {
      const width = Math.max(...rows.map(([name]) => name.length));
      const lines = rows.map(([name, text]) => `  ${paint('bold', name.padEnd(width))}  ${text}`);
      return [paint('underline', title), ...lines].join('\n');
    })
    .join('\n\n');
}
