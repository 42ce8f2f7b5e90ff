/** The README's table of what was found of libraries on npm, from the rows of the catalogue that are about them. */
import { CATALOGUE } from '../../sim/catalogue/index.js';
import type { CatalogueEntry } from '../../sim/catalogue/entry.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { PROPERTY_IDS } from '../../sim/scenario/schema.js';
import { findLock } from '../../src/registry.js';
import { faultsOfSettings } from '../trial/rows.js';

/** What one row expects of libraries that behave alike there. */
export interface Recorded {
  readonly entry: CatalogueEntry;
  readonly locks: readonly string[];
  /** `property (blame)`. */
  readonly violated: readonly string[];
  readonly command: string;
}

/** Of public reports whatever is violated, of other rows what is the library's own fault. */
export function trackRecord(): Recorded[] {
  return CATALOGUE.flatMap((entry) => {
    const byViolations = new Map<string, string[]>();
    for (const lock of Object.keys(entry.scenario.expect ?? {})) {
      if (findLock(lock)?.kind !== 'adapter') continue;
      const violated = violatedBy(entry, lock).join(', ');
      if (violated !== '') byViolations.set(violated, [...(byViolations.get(violated) ?? []), lock]);
    }
    return [...byViolations].map(([violated, locks]) => ({
      entry,
      locks,
      violated: violated.split(', '),
      command: `npx lockpick run ${entry.scenario.id} --lock ${locks[0]!}`,
    }));
  });
}

function violatedBy(entry: CatalogueEntry, lock: string): string[] {
  const { expect } = parseScenario(entry.scenario);
  const bySettings = faultsOfSettings({ expect });
  return PROPERTY_IDS.flatMap((property) => {
    const [word, blame] = String(expect[lock]?.[property] ?? '').split('/');
    const counts = blame === 'library' ? !bySettings.has(property) : entry.report !== undefined;
    return word === 'violated' && counts ? [`${property} (${blame})`] : [];
  });
}

/** As Markdown, a row a line. */
export function trackRecordTable(): string {
  const head = ['library', 'what goes wrong', 'violated (blame)', 'report', 'to see it'];
  const rows = trackRecord().map(({ entry, locks, violated, command }) => [
    locks.map((lock) => `\`${lock}\``).join(', '),
    entry.title,
    violated.join(', '),
    reportLink(entry.report),
    `\`${command}\``,
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return ['<!-- prettier-ignore -->', ...lines, ''].join('\n');
}

function reportLink(report: string | undefined): string {
  if (report === undefined) return '';
  const [repository, number] = report.split('#');
  return `[${report}](https://github.com/${repository!}/issues/${number!})`;
}
