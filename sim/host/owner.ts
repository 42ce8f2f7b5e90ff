/**
 * Whose command is it? A client belongs to a task. Its commands belong to the task's open operation, else to its
 * current hold, else (a late clean-up) to the hold it had last.
 */
import type { OperationKind } from '../history/events.js';

export interface Owner {
  readonly task: string;
  /** The hold of the open operation, or the current or last one; null before the first and where it is ambiguous. */
  readonly hold: string | null;
  readonly op: OperationKind;
}

/** Told when a task is about to call its lock. */
export interface Attendant {
  awaits(owner: Owner): void;
}

/** A task's own account of what it is doing. */
export class TaskOwner implements Owner {
  /** The sockets of its process, where it has any. */
  attendant: Attendant | null = null;
  /** Open operations, the one begun last at the end, and the hold of each. */
  private readonly open: OperationKind[] = [];
  private readonly openHolds: string[] = [];
  /** What it holds, the innermost last. */
  private readonly held: string[] = [];
  private last: string | null = null;

  /** @param holds how many holds the task has had, over all lives of its process */
  constructor(
    readonly task: string,
    public holds = 0,
  ) {}

  get hold(): string | null {
    const { openHolds, held } = this;
    if (openHolds.length > 0) return openHolds[openHolds.length - 1]!;
    return held.length > 0 ? held[held.length - 1]! : this.last;
  }

  get op(): OperationKind {
    const { open } = this;
    return open.length > 0 ? open[open.length - 1]! : this.held.length > 0 ? 'hold' : 'idle';
  }

  /** A new attempt: what comes late belongs to it from now on. */
  asks(hold: string): void {
    this.last = hold;
  }

  begin(op: OperationKind, hold: string): void {
    this.open.push(op);
    this.openHolds.push(hold);
    this.attendant?.awaits(this);
  }

  end(op: OperationKind, hold: string): void {
    const { open, openHolds } = this;
    for (let at = open.length - 1; at >= 0; at--) {
      if (open[at] !== op || openHolds[at] !== hold) continue;
      if (at === open.length - 1) {
        open.pop();
        openHolds.pop();
      } else {
        open.splice(at, 1);
        openHolds.splice(at, 1);
      }
      return;
    }
  }

  granted(hold: string): void {
    this.held.push(hold);
  }

  /** Its release is through. */
  over(hold: string): void {
    const at = this.held.lastIndexOf(hold);
    if (at >= 0) this.held.splice(at, 1);
    this.last = hold;
  }

  get busy(): boolean {
    return this.open.length > 0;
  }
}

/** A client shared by all tasks of a process: a command is a task's only while no other task has an operation open. */
export class SharedOwner implements Owner {
  constructor(private readonly tasks: readonly TaskOwner[]) {}

  private get only(): TaskOwner | null {
    const busy = this.tasks.filter((task) => task.busy);
    if (busy.length === 1) return busy[0]!;
    const holding = this.tasks.filter((task) => task.op === 'hold');
    return busy.length === 0 && holding.length === 1 ? holding[0]! : null;
  }

  get task(): string {
    return this.only?.task ?? '?';
  }

  get hold(): string | null {
    return this.only?.hold ?? null;
  }

  get op(): OperationKind {
    return this.only?.op ?? 'idle';
  }
}
