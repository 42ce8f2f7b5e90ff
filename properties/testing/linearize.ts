/**
 * A small Wing–Gong–Lowe search: is there an order of the operations that respects real time and that the model
 * accepts? Used in tests as an oracle; exponential, for histories of a dozen operations.
 *
 * An operation that never returned may take effect at any time after its call, or never.
 */
export interface Operation<Input> {
  readonly input: Input;
  readonly callUs: number;
  /** Infinity: pending. */
  readonly returnUs: number;
}

export interface Model<State, Input> {
  readonly initial: State;
  /** The state after the operation, or undefined if the model does not allow it in this state. */
  step(state: State, input: Input): State | undefined;
  key(state: State): string;
}

/** An order of operation indexes that explains the history, or null. Pending operations may be left out. */
export function linearize<State, Input>(
  operations: readonly Operation<Input>[],
  model: Model<State, Input>,
): number[] | null {
  const seen = new Set<string>();
  const order: number[] = [];

  function search(done: number, state: State): boolean {
    const open = operations.map((_, index) => index).filter((index) => (done & (1 << index)) === 0);
    if (open.every((index) => operations[index]!.returnUs === Infinity)) return true;
    const memo = `${done}:${model.key(state)}`;
    if (seen.has(memo)) return false;
    seen.add(memo);
    // Whatever is called after another operation returned cannot come before it.
    const firstReturn = Math.min(...open.map((index) => operations[index]!.returnUs));
    for (const index of open) {
      const operation = operations[index]!;
      if (operation.callUs > firstReturn) continue;
      const next = model.step(state, operation.input);
      if (next === undefined) continue;
      order.push(index);
      if (search(done | (1 << index), next)) return true;
      order.pop();
    }
    return false;
  }

  return search(0, model.initial) ? order : null;
}

export interface MutexInput {
  readonly do: 'acquire' | 'release';
  readonly owner: string;
}

/** A plain mutex with owners: acquire only when free, release only by the owner. */
export const MUTEX: Model<string | null, MutexInput> = {
  initial: null,
  step(holder, input) {
    if (input.do === 'acquire') return holder === null ? input.owner : undefined;
    return holder === input.owner ? null : undefined;
  },
  key: (holder) => holder ?? '',
};
