/**
 * Instances of a lock module are kept from run to run. A verifier repeats some of the runs with fresh instances: they
 * must come out the same, byte for byte.
 */
import type { History } from '../history/events.js';
import { FreshInstances } from '../instances.js';
import { inMacrotask } from '../kernel/macrotask.js';
import type { LoadedLock } from '../load.js';
import { compile, type Plan } from '../plan.js';
import { guarded, runPlan } from '../run.js';
import type { Scenario } from '../scenario/schema.js';

/** A reused instance behaved otherwise than a fresh one. */
export class ReuseMismatch extends Error {
  override readonly name = 'ReuseMismatch';

  constructor(readonly seed: number) {
    super(`a run with reused instances differs from a fresh one (seed ${seed})`);
  }
}

export interface Verifier {
  /** Takes note of a run to repeat. @param events of its history, as {@link eventsText} gives them */
  expect(seed: number, events: string): void;
  /**
   * Resolves when no more than `most` noted runs wait to be repeated.
   * @throws ReuseMismatch for the first run that came out otherwise
   */
  settle(most: number): Promise<void>;
  close(): void;
}

/** Both sides record in the same order, so their text is equal exactly if their events are. */
export function eventsText(history: History): string {
  return JSON.stringify(history.events);
}

/** Repeats one run with fresh instances and tells whether it came out the same. Macrotasks only. */
export function comesOutTheSame(plan: Plan, lock: LoadedLock, seed: number, events: string): boolean {
  const fresh = guarded((charges) => runPlan(plan, seed, lock, new FreshInstances(lock.bundle), {}, charges));
  return eventsText(fresh) === events;
}

/** Repeats runs in this thread. Fresh instances undo much of what V8 has optimised for the kept ones. */
export class InlineVerifier implements Verifier {
  private readonly plan: Plan;
  private readonly waiting: { seed: number; events: string }[] = [];

  constructor(
    scenario: Scenario,
    private readonly lock: LoadedLock,
  ) {
    this.plan = compile(scenario);
  }

  expect(seed: number, events: string): void {
    this.waiting.push({ seed, events });
  }

  async settle(most: number): Promise<void> {
    while (this.waiting.length > most) {
      const { seed, events } = this.waiting.shift()!;
      const same = await inMacrotask(() => comesOutTheSame(this.plan, this.lock, seed, events));
      if (!same) throw new ReuseMismatch(seed);
    }
  }

  close(): void {}
}
