/** A machine of the cluster: its clocks, and whether it runs, is paused or is down. */
import type { HistoryEvent } from '../history/events.js';
import type { Recorder } from '../history/recorder.js';
import type { Clocks } from '../kernel/clock.js';
import type { KernelEvent, Pausable } from '../kernel/heap.js';
import type { Kernel } from '../kernel/kernel.js';

export interface HostContext {
  readonly kernel: Kernel;
  readonly recorder: Recorder;
}

type ClockCause = Extract<HistoryEvent, { kind: 'clock' }>['cause'];

export class Host implements Pausable {
  paused = false;
  pausedUntilUs = 0;
  readonly backlog: KernelEvent[] = [];
  up = true;
  /** Counts the lives of the host; what belongs to an earlier one is void. */
  life = 0;

  constructor(
    protected readonly context: HostContext,
    readonly name: string,
    readonly clocks: Clocks,
  ) {}

  recordClock(cause: ClockCause): void {
    const { kernel, recorder } = this.context;
    const tUs = kernel.nowUs;
    recorder.add({
      i: 0,
      tUs,
      host: this.name,
      kind: 'clock',
      wallUs: this.clocks.wallUs(tUs),
      wallPpm: this.clocks.ppm,
      monoUs: this.clocks.monoUs(tUs),
      monoPpm: this.clocks.ppm,
      cause,
    });
  }

  stepClock(byUs: number): void {
    this.clocks.stepWall(byUs);
    this.recordClock('step');
    this.clockChanged();
  }

  setDrift(ppm: number): void {
    this.clocks.setRate(ppm, this.context.kernel.nowUs);
    this.recordClock('drift');
    this.clockChanged();
  }

  /** Nothing of the host runs for `forUs` from now; its clocks go on. A longer pause that is under way stands. */
  pause(forUs: number): void {
    this.pauseFrom(this.context.kernel.nowUs, forUs, false);
  }

  /** @param inStep the pause began after an observable action inside a step, at the step's local time `fromUs` */
  protected pauseFrom(fromUs: number, forUs: number, inStep: boolean): void {
    const untilUs = fromUs + forUs;
    this.recordAt({ i: 0, tUs: fromUs, host: this.name, kind: 'pause', untilUs, inStep });
    this.paused = true;
    if (untilUs <= this.pausedUntilUs) return;
    this.pausedUntilUs = untilUs;
    this.context.kernel.at(untilUs, null, Host.wake, this as Host, untilUs);
  }

  private static wake(host: Host, untilUs: number): void {
    if (host.pausedUntilUs !== untilUs) return;
    host.paused = false;
    host.context.kernel.resume(host);
  }

  protected recordAt(event: HistoryEvent): void {
    this.context.recorder.add(event);
  }

  /** Timers and deadlines must be found anew. */
  protected clockChanged(): void {}

  /** Runs again, without anything that was in its memory. */
  revive(): void {
    this.up = true;
    this.paused = false;
    this.pausedUntilUs = 0;
    const { kernel, recorder } = this.context;
    recorder.add({ i: 0, tUs: kernel.nowUs, host: this.name, kind: 'restart', data: 'none' });
  }

  /** Memory is gone; whatever was queued for this life is void. */
  crash(): void {
    if (!this.up) return;
    this.up = false;
    this.life++;
    // What waited for the pause to end is void, and must not keep the run alive.
    for (const event of this.backlog) this.context.kernel.cancel(event);
    this.backlog.length = 0;
    this.context.recorder.add({ i: 0, tUs: this.context.kernel.nowUs, host: this.name, kind: 'crash' });
  }
}
