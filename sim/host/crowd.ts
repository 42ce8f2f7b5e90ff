/** Counts what a process executes within one virtual millisecond: too much is a hot loop. */
export class Crowd {
  private ms = -1;
  private seen = 0;

  constructor(private readonly limit: number) {}

  /** One more at `nowUs`; true when it is one too many. */
  exceeds(nowUs: number): boolean {
    const ms = Math.floor(nowUs / 1000);
    if (ms !== this.ms) {
      this.ms = ms;
      this.seen = 0;
    }
    return ++this.seen > this.limit;
  }
}
