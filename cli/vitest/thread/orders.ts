/** What the thread does. */
import { judge } from '../../../properties/judge.js';
import { digest } from '../../../sim/history/digest.js';
import { loadLock, type LoadedLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { resolveLock } from '../../../src/resolve.js';
import { checkFits, confirm, violationsOf } from '../../execute.js';
import { check } from './check.js';
import type { Answers, Order, RunAnswer, RunOrder } from './messages.js';

export async function runOrder(order: Order): Promise<Answers[keyof Answers]> {
  const lock = await loadLock(resolveLock(order.lock, order.directory));
  switch (order.kind) {
    case 'run':
      return run(order, lock);
    case 'check':
      return check(order, lock);
  }
}

/** A history whose violations, if it has any, came out the same from a fresh start. */
async function run({ scenario }: RunOrder, lock: LoadedLock): Promise<RunAnswer> {
  checkFits(lock, scenario);
  const history = await simulate(scenario, lock);
  if (violationsOf(judge(history).verdicts).length > 0) await confirm(scenario, lock, digest(history));
  return { history };
}
