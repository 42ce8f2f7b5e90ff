/** docs/reports.md, generated from the rows of the catalogue that reproduce what was reported of libraries or read in their sources. */
import type { CatalogueEntry } from '../../sim/catalogue/entry.js';

const INTRODUCTION = `# What libraries on npm were found to do

<!-- Generated. Change the rows in sim/catalogue/reports/, then:
UPDATE_DOCS=1 npx vitest run --config .config/vitest.config.ts properties/reports.test.ts -->

Each row is a scenario on which the library runs unmodified, over the client package that it is used with, on simulated sockets. It names the
versions that show it and, beside them, versions and locks that do not. \`npx lockpick run B02 --lock redlock@5.0.0-beta.2\` shows one, step by step;
\`npx lockpick matrix B02\` runs it on all that it speaks of. The library itself you install, under its name or under an alias:

    npm i -D redlock-5@npm:redlock@5.0.0-beta.2
    npx lockpick run B02 --lock redlock@5.0.0-beta.2

A row that is about no property states figures of its processes (\`observe\`): how often a lock was asked for, how long a release took, with which
error. An adapter words contention as \`NotAcquired\`; \`errorCause\` is the library's own name for it.
`;

const OPTIONS = `
## Options of adapters

\`lock.options\` are read by every adapter as far as its library knows the like: \`retryCount\` (−1: without end), \`retryDelayMs\`, \`retryJitterMs\`,
\`driftFactor\`. A library that can't ask without end refuses −1. Beside these:

- \`watchdog\`: \`true\` is refused by libraries that do not renew by themselves; \`false\` turns off the renewals of redis-semaphore.
- \`retriesPerCall\` (redlock): retries are given with each call instead of once for all.
- \`automaticExtensionThresholdMs\` (redlock 5, its fork), \`acquireTimeoutMs\` and \`refreshIntervalMs\` (redis-semaphore).

\`workload.workFails\` ends the work of a section with an error. A lock that runs the work itself, as a \`using\` does, owes that error to its caller;
one that answers with another error, or with none, is not \`quiet\` (B07).
`;

const GITHUB = 'https://github.com/';

/** `owner/repository#7` as a link to it. */
function link(report: string): string {
  const [repository, number] = report.split('#') as [string, string];
  return `[${report}](${GITHUB}${repository}/issues/${number})`;
}

type Expected = Readonly<Record<string, unknown>>;

/** What a lock shows, in the words of its expectation. */
function shown(expected: Expected): string {
  const violated = Object.entries(expected)
    .filter(([, verdict]) => typeof verdict === 'string' && verdict.startsWith('violated/'))
    .map(([property, verdict]) => `${property} (${String(verdict).replace('violated/', '')})`);
  if (violated.length > 0) return violated.join(', ');
  const figures = Object.entries((expected['observe'] ?? {}) as Record<string, Expected>).flatMap(
    ([process, named]) =>
      Object.entries(named).map(([name, figure]) => `${process} ${name} ${words(figure)}`),
  );
  return figures.length > 0 ? figures.join(', ') : 'nothing violated';
}

function words(figure: unknown): string {
  return Array.isArray(figure) ? figure.join(' to ') : String(figure ?? 'none');
}

function row({ scenario, title, report }: CatalogueEntry): string {
  const locks = Object.entries(scenario.expect ?? {});
  const byEffect = new Map<string, string[]>();
  for (const [lock, expected] of locks) {
    const effect = shown(expected);
    byEffect.set(effect, [...(byEffect.get(effect) ?? []), lock]);
  }
  const effects = [...byEffect].map(
    ([effect, names]) => `${names.map((name) => `\`${name}\``).join(', ')}: ${effect}`,
  );
  return `| ${scenario.id} | ${title} | ${report === undefined ? '' : link(report)} | ${effects.join('<br>')} |`;
}

function table(entries: readonly CatalogueEntry[]): string {
  return ['| id | what | report | shows |', '| --- | --- | --- | --- |', ...entries.map(row)].join('\n');
}

export function reportsPage(reported: readonly CatalogueEntry[], read: readonly CatalogueEntry[]): string {
  return `${INTRODUCTION}
## Reported

${table(reported)}

## Read in the sources

${table(read)}
${OPTIONS}`;
}
