/**
 * A contender in a process of its own, driven by messages: what one side leaves on the heap, and what it does to the
 * globals and to what V8 has learned, must not slow the other side down.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Contender, LoadName, Tally } from './loads.js';

export type Side = 'lockpick' | 'handBuilt' | 'careful';

/** To the process. */
export type Order = { readonly runs: number; readonly seed: number } | { readonly finish: true };

/** From the process. */
export type Answer = { readonly tally: Tally } | { readonly error: string } | { readonly finished: true };

export interface ApartContender extends Contender {
  /** Waits for what the contender still has to check, and ends its process. */
  finish(): Promise<void>;
}

/** @param lockName the lock that lockpick plays with */
export function apart(side: Side, load: LoadName, lockName: string): ApartContender {
  const file = fileURLToPath(new URL('./apart-child.js', import.meta.url));
  const child = fork(file, [side, load, lockName], { serialization: 'advanced' });
  let settle: (answer: Answer) => void = () => {};
  child.on('message', (answer: Answer) => settle(answer));
  child.on('exit', (code) => settle({ error: `the process of ${side} ended (${code})` }));
  const ask = async (order: Order): Promise<Answer> => {
    const answered = new Promise<Answer>((resolve) => (settle = resolve));
    child.send(order);
    const answer = await answered;
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  };
  return {
    name: side,
    async measure(runs, seed) {
      const answer = await ask({ runs, seed });
      if (!('tally' in answer)) throw new Error(`${side} gave no tally`);
      return answer.tally;
    },
    async finish() {
      await ask({ finish: true });
      child.disconnect();
    },
  };
}
