/** What the kernel executes: `action(a, b)` at true time `tUs`, ties in the order of scheduling. */
export interface KernelEvent {
  tUs: number;
  seq: number;
  /** Waits while this target is paused; null: nobody's pause holds it up. */
  target: Pausable | null;
  action: (a: never, b: never) => void;
  a: unknown;
  b: unknown;
  cancelled: boolean;
  /** Whether it keeps the run alive. */
  referenced: boolean;
}

/** Something whose events wait, in order, while it is paused. */
export interface Pausable {
  readonly paused: boolean;
  readonly backlog: KernelEvent[];
}

function before(x: KernelEvent, y: KernelEvent): boolean {
  return x.tUs < y.tUs || (x.tUs === y.tUs && x.seq < y.seq);
}

/** A binary heap ordered by (time, sequence). */
export class EventHeap {
  private readonly items: KernelEvent[] = [];

  get size(): number {
    return this.items.length;
  }

  /** In no particular order; for the rare rescheduling after a change of a clock's rate. */
  [Symbol.iterator](): IterableIterator<KernelEvent> {
    return this.items[Symbol.iterator]();
  }

  push(event: KernelEvent): void {
    const items = this.items;
    let hole = items.length;
    items.push(event);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      const above = items[parent]!;
      if (!before(event, above)) break;
      items[hole] = above;
      hole = parent;
    }
    items[hole] = event;
  }

  pop(): KernelEvent | undefined {
    const items = this.items;
    const top = items[0];
    const last = items.pop();
    const size = items.length;
    if (size === 0 || last === undefined) return top;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && before(items[child + 1]!, items[child]!)) child++;
      const below = items[child]!;
      if (!before(below, last)) break;
      items[hole] = below;
      hole = child;
    }
    items[hole] = last;
    return top;
  }
}
