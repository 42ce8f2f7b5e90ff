/** No command of an acquire, clean-up, extension or release removes or changes a live key set by another hold. */
import { commandOf } from '../analysis/keys.js';
import type { Analysis, ForeignTouch, KeyEvent } from '../analysis/model.js';
import { evidence, ms } from '../analysis/words.js';
import { unknown, type Check } from './check.js';

export const checkOwnKeyOnly: Check = (analysis) => {
  const evaluated = analysis.figures.keyEffects;
  let ambiguous: ForeignTouch | null = null;
  for (const touch of analysis.foreign) {
    const { event, life } = touch;
    if (life.key.auxiliary || isOwn(analysis, touch) || takesEntry(analysis, event)) continue;
    const owner = life.owner!;
    if (isAmbiguous(analysis, touch)) {
      ambiguous ??= touch;
      continue;
    }
    const what = event.effect === 'deleted' ? 'deleted' : event.effect === 'set' ? 'overwrote' : 'changed';
    const doer = event.hold ?? event.by!;
    return {
      verdict: 'violated',
      blame: 'library',
      reason: `${doer} ${what} the live key ${event.key} of ${owner.id} on ${event.host} at ${ms(event.tUs)}`,
      atUs: event.tUs,
      evidence: evidence(life.set.i, event.i),
      holds: typeof event.hold === 'string' ? [owner.id, event.hold] : [owner.id],
      evaluated,
    };
  }
  if (ambiguous !== null) {
    return unknown(
      `the tasks of ${ambiguous.event.by} share a client: whose command it was at ${ms(ambiguous.event.tUs)} is ambiguous`,
    );
  }
  if (evaluated === 0) return unknown('no command set, changed or removed a key');
  return { verdict: 'holds', evaluated };
};

/**
 * What is left of a finished attempt of the same task is its own to clean up, whatever is open by then; and so is what it holds
 * while it asks for more.
 */
function isOwn(analysis: Analysis, { event, life }: ForeignTouch): boolean {
  const owner = life.owner!;
  if (typeof event.hold === 'string' && owner.kin?.has(event.hold) === true) return true;
  if (event.by !== owner.process.name) return false;
  const over = Math.min(owner.failedUs, owner.releaseUs, owner.crashUs) <= event.tUs;
  if (!over) return false;
  if (typeof event.hold !== 'string') return true;
  return analysis.holdById.get(event.hold)?.task === owner.task;
}

/** Commands that take an entry out of a key. A queue, or a list of tokens, is there for that, and is gone with its last entry. */
const TAKES = /^b?([lr]pop|lmpop|lmove|rpoplpush|zpop(min|max)|zmpop)$|^spop$/i;

function takesEntry({ events }: Analysis, effect: KeyEvent): boolean {
  const command = commandOf(events, effect);
  return command !== null && TAKES.test(command.args[0]!);
}

function isAmbiguous(analysis: Analysis, { event, life }: ForeignTouch): boolean {
  return analysis.scenario.processes.sharedClient && event.by === life.owner!.process.name;
}
