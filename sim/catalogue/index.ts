/** All rows of the failure catalogue, in the order in which tables show them. */
import { CONTENTION } from './contention/index.js';
import type { CatalogueEntry } from './entry.js';
import { FENCING } from './fencing/index.js';
import { REDLOCK } from './redlock/index.js';
import { RENEWAL } from './renewal/index.js';
import { FROM_SOURCES } from './reports/from-sources.js';
import { REPORTS } from './reports/index.js';
import { SENTINEL } from './sentinel/index.js';
import { SINGLE } from './single/index.js';

export const CATALOGUE: readonly CatalogueEntry[] = [
  ...SINGLE,
  ...RENEWAL,
  ...REDLOCK,
  ...FENCING,
  ...SENTINEL,
  ...CONTENTION,
  ...REPORTS,
  ...FROM_SOURCES,
];

/** The row with this id, in any case. */
export function findScenario(id: string): CatalogueEntry | undefined {
  const wanted = id.toUpperCase();
  return CATALOGUE.find(({ scenario }) => scenario.id.toUpperCase() === wanted);
}
