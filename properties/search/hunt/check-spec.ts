/** What a hunt is asked for and its lock could never show. */
import { HuntRefused, kindsOfSpec, type HuntSpec } from './spec.js';
import type { Traits } from './traits.js';

/** What a hunt decides for itself. */
const DRAWN = ['id', 'seed', 'faults', 'expect', 'lock.name'];
const INSTEAD = 'every scenario has its own; --seed, --lock, --faults and --assume say which are drawn';

/** @throws HuntRefused */
export function checkSpec(spec: HuntSpec, traits: Traits): void {
  kindsOfSpec(spec);
  const { properties, lock, sets } = spec;
  for (const { path } of sets)
    if (DRAWN.some((drawn) => path === drawn || path.startsWith(`${drawn}.`)))
      throw new HuntRefused(`--set ${path} leaves nothing to hunt for: ${INSTEAD}`);
  if (properties === null) return;
  if (properties.length === 0)
    throw new HuntRefused('no property is looked for: leave --property out for all');
  if (properties.includes('permits') && !traits.semaphore)
    throw new HuntRefused(`${lock} cannot show permits: it is a plain mutex, of one permit`);
  if (properties.includes('fencing-order') && traits.granted && !traits.fences)
    throw new HuntRefused(`${lock} cannot show fencing-order: its grants carry no fencing token`);
}
