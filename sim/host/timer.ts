import type { KernelEvent } from '../kernel/heap.js';
import type { Kernel } from '../kernel/kernel.js';
import type { VirtualTimer } from '../sealed/services.js';

/** A timer of a process: due when the host's monotonic clock shows `dueMonoUs`. */
export class ProcessTimer implements VirtualTimer {
  event: KernelEvent | null = null;
  dueMonoUs = 0;
  private isReferenced = true;

  /** @param repeatUs period of an interval; 0: fires once */
  constructor(
    private readonly kernel: Kernel,
    readonly callback: () => void,
    readonly repeatUs: number,
  ) {}

  get active(): boolean {
    return this.event !== null;
  }

  get referenced(): boolean {
    return this.isReferenced;
  }

  set referenced(value: boolean) {
    this.isReferenced = value;
    if (this.event !== null) this.kernel.setReferenced(this.event, value);
  }

  stop(): void {
    if (this.event === null) return;
    this.kernel.cancel(this.event);
    this.event = null;
  }
}
