import type { Seat } from './seat.js';

interface Entry {
  readonly name: string;
  readonly entryType: string;
  readonly startTime: number;
  readonly duration: number;
  readonly detail: unknown;
}

interface MeasureOptions {
  start?: number | string;
  end?: number | string;
  duration?: number;
  detail?: unknown;
}

/** Marks and measures of one process, on its monotonic clock. */
class Timeline {
  entries: Entry[] = [];
  readonly #seat: Seat;

  constructor(seat: Seat) {
    this.#seat = seat;
  }

  mark(name: string, options: { startTime?: number; detail?: unknown } = {}): Entry {
    const startTime = options.startTime ?? this.#seat.services.monotonicMs();
    return this.#add({ name, entryType: 'mark', startTime, duration: 0, detail: options.detail ?? null });
  }

  measure(name: string, from?: string | MeasureOptions, to?: string): Entry {
    const options: MeasureOptions = typeof from === 'object' ? from : { start: from, end: to };
    const end = options.end === undefined ? this.#seat.services.monotonicMs() : this.#at(options.end);
    const start = options.start === undefined ? 0 : this.#at(options.start);
    const duration = options.duration ?? end - start;
    return this.#add({
      name,
      entryType: 'measure',
      startTime: start,
      duration,
      detail: options.detail ?? null,
    });
  }

  clear(entryType: string, name?: string): void {
    this.entries = this.entries.filter(
      (entry) => entry.entryType !== entryType || (name !== undefined && entry.name !== name),
    );
  }

  #add(entry: Entry): Entry {
    this.entries.push(entry);
    return entry;
  }

  #at(point: number | string): number {
    if (typeof point === 'number') return point;
    const mark = this.entries.findLast((entry) => entry.entryType === 'mark' && entry.name === point);
    if (mark === undefined) throw new SyntaxError(`The "${point}" performance mark has not been set`);
    return mark.startTime;
  }
}

const noUtilization = (): object => ({ idle: 0, active: 0, utilization: 0 });

const seats = new WeakMap<object, Seat>();

/** One accessor for all: with one each, V8 would take every `performance` for an object of another kind. */
const TIME_ORIGIN: PropertyDescriptor = {
  get(this: object): number | undefined {
    const services = seats.get(this)?.services;
    return services === undefined ? undefined : services.wallMs() - services.monotonicMs();
  },
  enumerable: true,
  configurable: true,
};

/** The virtual `performance`: the process's monotonic clock. */
export function makePerformance(seat: Seat) {
  const timeline = new Timeline(seat);
  seat.resets.push(() => (timeline.entries = []));
  const virtual = {
    now: (): number => seat.services.monotonicMs(),
    mark: (name: string, options?: { startTime?: number; detail?: unknown }) =>
      timeline.mark(String(name), options),
    measure: (name: string, from?: string | MeasureOptions, to?: string) =>
      timeline.measure(String(name), from, to),
    clearMarks: (name?: string) => timeline.clear('mark', name),
    clearMeasures: (name?: string) => timeline.clear('measure', name),
    getEntries: () => [...timeline.entries],
    getEntriesByName: (name: string) => timeline.entries.filter((entry) => entry.name === name),
    getEntriesByType: (type: string) => timeline.entries.filter((entry) => entry.entryType === type),
    timerify: <F>(fn: F): F => fn,
    eventLoopUtilization: noUtilization,
    toJSON: () => ({ timeOrigin: 0 }),
  };
  seats.set(virtual, seat);
  return Object.defineProperty(virtual, 'timeOrigin', TIME_ORIGIN);
}

export type VirtualPerformance = ReturnType<typeof makePerformance>;

/** The module `perf_hooks`: nothing real is observed, so observers never hear anything. */
export function makePerfHooks(performance: VirtualPerformance): Record<string, unknown> {
  class PerformanceObserver {
    static readonly supportedEntryTypes: readonly string[] = [];
    observe(): void {}
    disconnect(): void {}
    takeRecords(): unknown[] {
      return [];
    }
  }
  const histogram = {
    enable: () => true,
    disable: () => true,
    reset() {},
    min: 0,
    max: 0,
    mean: 0,
    stddev: 0,
  };
  return {
    performance,
    PerformanceObserver,
    monitorEventLoopDelay: () => ({ ...histogram, percentile: () => 0 }),
    constants: {},
  };
}
