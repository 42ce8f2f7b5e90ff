import type { Bytes } from '../keyspace.js';
import type { NativeSession } from './session.js';

interface Postponed {
  readonly session: NativeSession;
  readonly args: readonly Bytes[];
}

/** CLIENT PAUSE: commands wait until it is over, and are then executed in the order in which they came. */
export class Pause {
  /** It is over in the first millisecond after this one. */
  untilMs = -Infinity;
  /** All commands wait; otherwise those that may write. */
  all = false;
  #postponed: Postponed[] = [];

  get active(): boolean {
    return this.untilMs !== -Infinity;
  }

  /** A pause that goes on is never made shorter or weaker. */
  begin(untilMs: number, all: boolean): void {
    this.all = (this.active && this.all) || all;
    if (untilMs > this.untilMs) this.untilMs = untilMs;
  }

  end(): void {
    this.untilMs = -Infinity;
    this.all = false;
  }

  postpone(session: NativeSession, args: readonly Bytes[]): void {
    this.#postponed.push({ session, args });
  }

  forget(session: NativeSession): void {
    if (this.#postponed.length > 0)
      this.#postponed = this.#postponed.filter((each) => each.session !== session);
  }

  get hasPostponed(): boolean {
    return this.#postponed.length > 0;
  }

  takePostponed(): readonly Postponed[] {
    const postponed = this.#postponed;
    this.#postponed = [];
    return postponed;
  }
}
