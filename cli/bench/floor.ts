/**
 * The limit for asynchronous code: what an event costs when nothing is simulated. An event leaves a heap, resolves a
 * promise somebody awaits, all microtasks run, and the next event enters the heap.
 */
import { drainMicrotasks } from '../../sim/kernel/drain.js';
import { EventHeap, type KernelEvent } from '../../sim/kernel/heap.js';

/** As many events are on their way at once as in a run of the larger load. */
const IN_FLIGHT = 15;

/** A spread of distances without a random source in the loop. */
const DISTANCES_US = Array.from({ length: 97 }, (_, index) => 1000 + ((index * 7919) % 19_000));

/** @returns nanoseconds an event */
export function measureFloor(events: number): Promise<number> {
  return new Promise((resolve) => {
    // The drain works from a macrotask only.
    setImmediate(() => resolve(runFloor(events)));
  });
}

function runFloor(events: number): number {
  const heap = new EventHeap();
  let nowUs = 0;
  let seq = 0;
  let served = 0;

  const later = (): Promise<void> =>
    new Promise((resolve) => {
      const event: KernelEvent = {
        tUs: nowUs + DISTANCES_US[seq % DISTANCES_US.length]!,
        seq: seq++,
        target: null,
        action: resolve,
        a: undefined,
        b: undefined,
        cancelled: false,
        referenced: true,
      };
      heap.push(event);
    });
  const sleeper = async (): Promise<void> => {
    for (;;) {
      await later();
      served++;
    }
  };

  for (let index = 0; index < IN_FLIGHT; index++) void sleeper();
  drainMicrotasks();
  const startMs = performance.now();
  for (let index = 0; index < events; index++) {
    const event = heap.pop()!;
    nowUs = event.tUs;
    event.action(undefined as never, undefined as never);
    drainMicrotasks();
  }
  const elapsedMs = performance.now() - startMs;
  if (served !== events) throw new Error(`the drain is not exact: ${served} of ${events} events were served`);
  return (elapsedMs * 1e6) / events;
}
