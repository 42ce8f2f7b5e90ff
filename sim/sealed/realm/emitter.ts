/** `on`, `once`, `off` and `emit` as the virtual `process` has them. */
import type { AnyFunction } from './seat.js';

interface Entry {
  readonly listener: AnyFunction;
  readonly once: boolean;
}

export class Emitter {
  #entries = new Map<string | symbol, Entry[]>();

  /** A copy of who listens, to come back to with {@link restore}. */
  snapshot(): ReadonlyMap<string | symbol, Entry[]> {
    return new Map([...this.#entries].map(([event, entries]) => [event, [...entries]]));
  }

  restore(snapshot: ReadonlyMap<string | symbol, Entry[]>): void {
    this.#entries = new Map([...snapshot].map(([event, entries]) => [event, [...entries]]));
  }

  add(event: string | symbol, listener: AnyFunction, once: boolean, first = false): void {
    if (typeof listener !== 'function')
      throw new TypeError('The "listener" argument must be of type function');
    const entries = this.#entries.get(event) ?? [];
    if (first) entries.unshift({ listener, once });
    else entries.push({ listener, once });
    this.#entries.set(event, entries);
  }

  remove(event: string | symbol, listener: AnyFunction): void {
    const entries = this.#entries.get(event) ?? [];
    const index = entries.findLastIndex((entry) => entry.listener === listener);
    if (index >= 0) entries.splice(index, 1);
  }

  removeAll(event?: string | symbol): void {
    if (event === undefined) this.#entries.clear();
    else this.#entries.delete(event);
  }

  emit(self: unknown, event: string | symbol, args: readonly unknown[]): boolean {
    const entries = [...(this.#entries.get(event) ?? [])];
    for (const entry of entries) {
      if (entry.once) this.remove(event, entry.listener);
      entry.listener.apply(self, args as unknown[]);
    }
    return entries.length > 0;
  }

  listeners(event: string | symbol): AnyFunction[] {
    return (this.#entries.get(event) ?? []).map((entry) => entry.listener);
  }

  names(): (string | symbol)[] {
    return [...this.#entries.keys()].filter((event) => this.listeners(event).length > 0);
  }
}
