/** What a trial in a thread and its owner tell each other while it runs: how far it is, and that it is to stop. */
const STOP = 0;
const STEPS = 1;

export class Board {
  private readonly cells: Int32Array;

  constructor(readonly buffer: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.cells = new Int32Array(buffer);
  }

  stop(): void {
    Atomics.store(this.cells, STOP, 1);
  }

  get stopped(): boolean {
    return Atomics.load(this.cells, STOP) !== 0;
  }

  /** One row of the catalogue is done with. */
  step(): void {
    Atomics.add(this.cells, STEPS, 1);
  }

  get steps(): number {
    return Atomics.load(this.cells, STEPS);
  }
}
