/** Whether both sides did the same work: a simulator that does less is not fast. */
import type { Tally } from './loads.js';
import type { Comparison } from './pairs.js';
import { meansAgree, type Sample } from './statistics.js';

const TOLERANCE = 0.05;

export interface Side {
  readonly runs: number;
  readonly commandsPerRun: number;
  /** Share of runs with two clients at work under the lock at once. */
  readonly violatingShare: number;
}

export interface Parity {
  readonly ours: Side;
  readonly theirs: Side;
  readonly commandsRatio: number;
  /** Null where the other side's sample has none. */
  readonly violatingRatio: number | null;
  readonly ok: boolean;
}

function side(tally: Tally): Side {
  return {
    runs: tally.runs,
    commandsPerRun: tally.commands / tally.runs,
    violatingShare: tally.violating / tally.runs,
  };
}

export function parityOf({ ours, theirs }: Comparison): Parity {
  const our = side(ours);
  const their = side(theirs);
  const commandsRatio = our.commandsPerRun / their.commandsPerRun;
  return {
    ours: our,
    theirs: their,
    commandsRatio,
    violatingRatio: theirs.violating === 0 ? null : our.violatingShare / their.violatingShare,
    ok:
      meansAgree(commandsOf(ours), commandsOf(theirs), TOLERANCE) &&
      meansAgree(violatingOf(ours), violatingOf(theirs), TOLERANCE),
  };
}

function commandsOf({ runs, commands, commandsSquared }: Tally): Sample {
  return { size: runs, sum: commands, squares: commandsSquared };
}

function violatingOf({ runs, violating }: Tally): Sample {
  return { size: runs, sum: violating, squares: violating };
}
