/** The calls of the lock that a task has made and that have not settled. */
export type Call = 'acquire' | 'extend' | 'release';

export class OpenCalls {
  private readonly open: { readonly op: Call; readonly hold: string }[] = [];

  begin(op: Call, hold: string): void {
    this.open.push({ op, hold });
  }

  end(op: Call, hold: string): void {
    const { open } = this;
    for (let at = open.length - 1; at >= 0; at--) {
      if (open[at]!.op !== op || open[at]!.hold !== hold) continue;
      // Nearly always the last: splice would make an array for it.
      if (at === open.length - 1) open.pop();
      else open.splice(at, 1);
      return;
    }
  }

  [Symbol.iterator](): IterableIterator<{ readonly op: Call; readonly hold: string }> {
    return this.open[Symbol.iterator]();
  }
}
