/** What became of a call: known at once after a drain, or later. */
export class Outcome {
  settled = false;
  failed = false;
  /** The result, or the error. */
  value: unknown = undefined;
  private listener: (() => void) | null = null;

  constructor(call: () => unknown) {
    let result: unknown;
    try {
      result = call();
    } catch (error) {
      this.settle(error, true);
      return;
    }
    void Promise.resolve(result).then(
      (value) => this.settle(value, false),
      (error: unknown) => this.settle(error, true),
    );
  }

  /** Called when a call that takes time is over. */
  whenSettled(listener: () => void): void {
    this.listener = listener;
  }

  private settle(value: unknown, failed: boolean): void {
    this.settled = true;
    this.failed = failed;
    this.value = value;
    this.listener?.();
  }
}
