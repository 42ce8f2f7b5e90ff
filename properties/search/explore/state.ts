/** The world as far as it can be observed, from a history as it grows: who asks, holds and has let go, whose keys stand where. */
import type { HistoryEvent } from '../../../sim/history/events.js';

export class AbstractState {
  private read = 0;
  /** Who is paused, and until when. */
  private readonly pauses = new Map<string, number>();
  private readonly parts = new Map<string, string>();
  private changed = false;
  private id = 0;
  private readonly ids = new Map<string, number>();

  /** A number for the state after the events, at this time; the same state has the same number. */
  at(nowUs: number, events: readonly HistoryEvent[]): number {
    while (this.read < events.length) this.take(events[this.read++]!);
    for (const [host, untilUs] of this.pauses) {
      if (untilUs > nowUs) continue;
      this.pauses.delete(host);
      this.put(`pause of ${host}`, 'over');
    }
    if (this.changed) {
      this.changed = false;
      const text = [...this.parts].map(([part, value]) => `${part}=${value}`).join(' ');
      let id = this.ids.get(text);
      if (id === undefined) this.ids.set(text, (id = this.ids.size + 1));
      this.id = id;
    }
    return this.id;
  }

  private take(event: HistoryEvent): void {
    switch (event.kind) {
      case 'acquire':
      case 'release':
        this.put(`task ${event.host} ${event.task}`, `${event.hold} ${event.kind} ${event.phase}`);
        break;
      case 'key':
        this.put(`key ${event.host} ${event.key}`, GONE.has(event.effect) ? '' : (event.setter ?? '?'));
        break;
      case 'use':
        if (event.phase !== 'invoke') this.put(`last use of ${event.resource}`, `${event.hold} ${event.op}`);
        break;
      case 'lost':
        this.put(`lost ${event.hold}`, 'told');
        break;
      case 'fault':
        this.put(`fault ${event.fault}`, 'struck');
        break;
      case 'pause':
        this.pauses.set(event.host, event.untilUs);
        this.put(`pause of ${event.host}`, 'under way');
        break;
      case 'crash':
      case 'restart':
        this.put(`life of ${event.host}`, event.kind);
        break;
      case 'promote':
        this.put(`server ${event.host}`, event.replica);
        break;
      case 'link':
        this.put(`link ${event.host} ${event.to}`, event.state);
        break;
      case 'clock':
        if (event.cause !== 'initial')
          this.put(`clock ${event.host}`, `${event.wallUs - event.tUs} ${event.wallPpm}`);
        break;
      default:
        break;
    }
  }

  private put(part: string, value: string): void {
    if (this.parts.get(part) === value) return;
    this.parts.set(part, value);
    this.changed = true;
  }
}

const GONE: ReadonlySet<string> = new Set(['deleted', 'expired', 'evicted', 'lost']);
