/** The process behind an {@link apart} contender. */
import type { Answer, Order, Side } from './apart.js';
import { LOADS, type Contender, type LoadName } from './loads.js';
import { lockpick } from './lockpick.js';
import { careful } from './opponents/careful.js';
import { handBuilt } from './opponents/hand-built.js';

const [side, loadName, lockName] = process.argv.slice(2) as [Side, LoadName, string];
const load = LOADS[loadName];

async function enter(): Promise<Contender & { finish?(): Promise<void> }> {
  if (side === 'lockpick') return lockpick(load, lockName);
  return side === 'careful' ? careful(load) : handBuilt(load);
}

async function obey(order: Order): Promise<Answer> {
  const contender = await entered;
  if ('runs' in order) return { tally: await contender.measure(order.runs, order.seed) };
  await contender.finish?.();
  return { finished: true };
}

const entered = enter();
process.on('message', (order: Order) => {
  obey(order).then(
    (answer) => process.send!(answer),
    (error: Error) => process.send!({ error: `${side}: ${error.message}` } satisfies Answer),
  );
});
