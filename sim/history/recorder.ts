/** Builds a history: events get their index in the order in which true time reaches them. */
import type { HistoryEvent } from './events.js';

/** An event without its index; the recorder assigns it. */
export type Unindexed<E> = E extends HistoryEvent ? Omit<E, 'i'> & { i: number } : never;

export class Recorder {
  readonly events: HistoryEvent[] = [];

  /** Appends `event`; its `i` is overwritten. */
  add(event: HistoryEvent): void {
    event.i = this.events.length;
    this.events.push(event);
  }
}
