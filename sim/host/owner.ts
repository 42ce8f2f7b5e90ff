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

/** A task's own account of what it is doing. */
export class TaskOwner implements Owner {
  hold: string | null = null;
  private readonly open: OperationKind[] = [];
  private holding = false;

  /** @param holds how many holds the task has had, over all lives of its process */
  constructor(
    readonly task: string,
    public holds = 0,
  ) {}

  get op(): OperationKind {
    const { open } = this;
    return open.length > 0 ? open[open.length - 1]! : this.holding ? 'hold' : 'idle';
  }

  begin(op: OperationKind): void {
    this.open.push(op);
  }

  end(op: OperationKind): void {
    const at = this.open.lastIndexOf(op);
    if (at === this.open.length - 1) this.open.pop();
    else if (at >= 0) this.open.splice(at, 1);
  }

  granted(): void {
    this.holding = true;
  }

  over(): void {
    this.holding = false;
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
