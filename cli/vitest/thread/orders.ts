/** What the thread does. */
import { judge } from '../../../properties/judge.js';
import { digest } from '../../../sim/history/digest.js';
import { loadLock, type LoadedLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { resolveLock } from '../../../src/resolve.js';
import { checkFits, confirm, violationsOf } from '../../execute.js';
import type { Answers, Order, RunAnswer, RunOrder } from './messages.js';

export function runOrder(order: Order): Promise<Answers[keyof Answers]> {
  return run(order);
}

function lockOf({ scenario, directory }: RunOrder): Promise<LoadedLock> {
  return loadLock(resolveLock(scenario.lock.name, directory));
}

/** A history whose violations, if it has any, came out the same from a fresh start. */
async function run(order: RunOrder): Promise<RunAnswer> {
  const { scenario } = order;
  const lock = await lockOf(order);
  checkFits(lock, scenario);
  const history = await simulate(scenario, lock);
  if (violationsOf(judge(history).verdicts).length > 0) await confirm(scenario, lock, digest(history));
  return { history };
}
