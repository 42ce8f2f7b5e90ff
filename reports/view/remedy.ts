/** What would change a verdict, as far as blame and property alone can tell. Re-runs (see `Change`) say more. */
import type { Verdicts, Violation } from '../../properties/verdict.js';
import type { PropertyId } from '../../sim/scenario/schema.js';
import type { RunView } from './model.js';

/** One change of the scenario that was run with the same seed, and what became of the violations. */
export interface Change {
  /** In words: `without the pause of p1`. */
  readonly what: string;
  /** As `--set` and `--lock` write it. */
  readonly flags: string;
  /** Violated before, not violated now. */
  readonly cures: readonly PropertyId[];
  /** Still violated, or violated only now. */
  readonly leaves: readonly PropertyId[];
}

/** One or two sentences that are true of every violation with this blame and property. */
export function remedyFor(
  view: RunView,
  property: PropertyId,
  violation: Violation,
  verdicts: Verdicts,
): string {
  switch (violation.blame) {
    case 'lease':
      return leaseRemedy(view, property);
    case 'infrastructure':
      return infrastructureRemedy(property);
    case 'usage':
      return 'The holder worked on past an end it had been told. Work that ends before the ttl, a renewal in time, or a look at the validity before each step keeps inside it.';
    case 'library':
      return libraryRemedy(view, rootOf(property, violation, verdicts), violation);
  }
}

function leaseRemedy({ scenario }: RunView, property: PropertyId): string {
  const checkable = property === 'no-stale-write' || property === 'exclusive-use';
  if (!checkable)
    return 'The ttl ran out while the holder could not run. No ttl is long enough for every pause; a claimed end that the holder checks limits what it believes afterwards.';
  const first = 'No lock that lives by a ttl can prevent this: its holder can freeze after its last check.';
  if (scenario.resource.fenced)
    return `${first} The storage checks tokens here: it can refuse a stale write, but not keep the late access from arriving.`;
  return `${first} A storage that checks fencing tokens can refuse the stale write; the late access itself still arrives.`;
}

function infrastructureRemedy(property: PropertyId): string {
  switch (property) {
    case 'no-orphan':
      return 'The clean-up was sent, and overtaken or cut off on its way. The key goes when its ttl ends; a clean-up that follows on the same connection cannot be overtaken.';
    case 'fencing-order':
      return 'The servers forgot the counter. Tokens rise only as long as the counter is at least as durable as what it protects.';
    case 'progress':
    case 'settles':
    case 'quiet':
      return 'No majority of the servers could be reached, or a clock that was set back keeps a dead key alive: no lock can be had until that ends.';
    default:
      return 'The lock did as it promised, on servers that did not: keys that outlast crashes, fail-overs and clock steps would have stood. A storage that checks fencing tokens can refuse a stale write.';
  }
}

/** What happens to holders and storage when a lock has made its mistake. */
const FOLLOWS: readonly PropertyId[] = ['mutual-exclusion', 'exclusive-use', 'no-stale-write'];

/** Mistakes of a lock that lead to others: whoever mends these mends those. */
const ROOTS: readonly PropertyId[] = ['own-key-only', 'quorum-backed', 'honest-validity'];

/** The property whose violation by the same holds came before, if it is one of those, else the property itself. */
function rootOf(property: PropertyId, { atUs, holds }: Violation, verdicts: Verdicts): PropertyId {
  if (!FOLLOWS.includes(property)) return property;
  const led = ROOTS.find((root) => {
    const verdict = verdicts[root];
    if (verdict.verdict !== 'violated') return false;
    return [verdict, ...(verdict.also ?? [])].some(
      (before) =>
        before.blame === 'library' &&
        before.atUs <= atUs &&
        before.holds.some((hold) => holds.includes(hold)),
    );
  });
  return led ?? property;
}

function libraryRemedy(view: RunView, property: PropertyId, violation: Violation): string {
  switch (property) {
    case 'own-key-only':
      return "The lock's own code touched a key that was not its own: comparing the value and deleting or renewing in one script leaves others' keys alone.";
    case 'quorum-backed':
      return "The lock's own code granted what it did not have: before it returns it has to count its keys, look at the clock, and give back what is no majority or took as long as the ttl.";
    case 'honest-validity':
      return "The lock's own code claims an end its keys don't reach: ttl minus the time since before the first request, minus the drift allowance, is the most it may claim.";
    case 'fencing-order':
      return 'Tokens that are drawn in the same script that sets the key, or raised on a majority of the voters, rise in the order of the holds.';
    case 'loss-signalled':
      return 'A signal no later than the claimed end, and none while the lock stands, is what the lock promised.';
    case 'permits':
      return "Permits that are given out and taken away by one clock, the server's, do not depend on what the clients' clocks show.";
    case 'no-orphan':
      return isSetAfterRelease(view, violation)
        ? 'A renewal that creates no key, and a release that waits for a renewal under way, leave no key behind.'
        : 'A clean-up that is sent to every server asked, also to those that never answered, leaves no key behind.';
    default:
      return "What struck is what a lock has to bear: it is the lock's own code that must change.";
  }
}

/** The evidence of an orphan names the release and the setting of the key, if both were there. */
function isSetAfterRelease({ history }: RunView, { evidence }: Violation): boolean {
  const told = evidence.map((index) => history.events[index]);
  const release = told.findIndex((event) => event?.kind === 'release');
  const set = told.findIndex((event) => event?.kind === 'key' && event.effect === 'set');
  return release >= 0 && release < set;
}
