/** `on`, `once`, `off` and `emit` as the virtual `process` has them. */
import type { AnyFunction } from './seat.js';

interface Entry {
  readonly listener: AnyFunction;
  readonly once: boolean;
}

function copyOf(entries: ReadonlyMap<string | symbol, readonly Entry[]>): Map<string | symbol, Entry[]> {
  return new Map([...entries].map(([event, listeners]) => [event, [...listeners]]));
}

export class Emitter {
  #entries = new Map<string | symbol, Entry[]>();

  #settled: ReadonlyMap<string | symbol, readonly Entry[]> = new Map();
  #changed = false;

  /** Remembers who listens, to come back to with {@link reset}. */
  settle(): void {
    this.#settled = copyOf(this.#entries);
    this.#changed = false;
  }

  reset(): void {
    if (this.#changed) this.#entries = copyOf(this.#settled);
    this.#changed = false;
  }

  add(event: string | symbol, listener: AnyFunction, once: boolean, first = false): void {
    if (typeof listener !== 'function')
      throw new TypeError('The "listener" argument must be of type function');
    this.#changed = true;
    const entries = this.#entries.get(event) ?? [];
    if (first) entries.unshift({ listener, once });
    else entries.push({ listener, once });
    this.#entries.set(event, entries);
  }

  remove(event: string | symbol, listener: AnyFunction): void {
    const entries = this.#entries.get(event) ?? [];
    const index = entries.findLastIndex((entry) => entry.listener === listener);
    if (index < 0) return;
    this.#changed = true;
    entries.splice(index, 1);
  }

  removeAll(event?: string | symbol): void {
    this.#changed = true;
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
