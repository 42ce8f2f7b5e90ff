/**
 * The moments at which triggered faults strike. A call site asks `watching[event] !== null` first, so that a run
 * without triggers pays one comparison.
 */
import type { Stream, Streams } from '../kernel/random.js';
import { TRIGGER_EVENTS, type Fault, type Trigger, type TriggerEvent } from '../scenario/schema.js';
import type { Process, ProcessContext } from '../host/process.js';

/** A fault that waits for its trigger. */
export interface Armed {
  /** Index in the scenario's schedule. */
  readonly index: number;
  /** Owner of its random streams. */
  readonly name: string;
  readonly fault: Fault;
  readonly trigger: Trigger;
  seen: number;
  struck: number;
  chance: Stream | null;
}

/** Applies faults; called at the moment itself. */
export interface Striker {
  /** @param atUs the process's time of the moment; null where no process is concerned */
  triggered(armed: Armed, process: Process | null, atUs: number | null): void;
}

/** Told of every moment that passes; for a search that wants to know where faults could strike. */
export interface Probe {
  /** Makes known where moments are told from; called once, before the run starts. */
  begin(context: ProcessContext): void;
  passed(event: TriggerEvent, process: string | null, server?: string, command?: string): void;
}

const NOTHING = Object.fromEntries(TRIGGER_EVENTS.map((event) => [event, null])) as Record<
  TriggerEvent,
  null
>;

export class Moments {
  readonly watching: Record<TriggerEvent, Armed[] | null>;
  readonly armed: Armed[] = [];
  striker: Striker | null = null;

  constructor(
    faults: readonly Fault[],
    private readonly streams: Streams,
    private readonly probe?: Probe,
  ) {
    this.watching = { ...NOTHING };
    if (probe !== undefined) for (const event of TRIGGER_EVENTS) this.watching[event] = [];
    for (let index = 0; index < faults.length; index++) {
      const fault = faults[index]!;
      if (fault.on === undefined) continue;
      const name = `fault/${index}`;
      const armed: Armed = { index, name, fault, trigger: fault.on, seen: 0, struck: 0, chance: null };
      this.armed.push(armed);
      (this.watching[fault.on.event] ??= []).push(armed);
    }
  }

  /** An event came to pass: whatever waits for it strikes now. */
  pass(event: TriggerEvent, process: Process | null, server?: string, command?: string): void {
    const hits = this.match(event, process === null ? null : process.name, server, command);
    if (hits !== null) this.strikeAll(hits, process);
  }

  /** For messages, whose `delay` must be known before they leave: first match, then send, then strike. */
  match(event: TriggerEvent, process: string | null, server?: string, command?: string): Armed[] | null {
    const waiting = this.watching[event];
    if (waiting === null) return null;
    this.probe?.passed(event, process, server, command);
    let hits: Armed[] | null = null;
    for (const armed of waiting) {
      const { trigger } = armed;
      if (trigger.process !== undefined && trigger.process !== process) continue;
      if (trigger.server !== undefined && trigger.server !== server) continue;
      if (trigger.command !== undefined && trigger.command !== command) continue;
      armed.seen++;
      if (trigger.every ? armed.seen < trigger.nth : armed.seen !== trigger.nth) continue;
      if (trigger.chance < 1) {
        armed.chance ??= this.streams.open(armed.name, 'chance');
        if (armed.chance.next() >= trigger.chance) continue;
      }
      (hits ??= []).push(armed);
    }
    return hits;
  }

  /** Delay that the hits put on the very message of the moment, in microseconds. */
  delayUs(hits: readonly Armed[]): number {
    let total = 0;
    for (const { fault } of hits) if (fault.do === 'delay') total += Math.round(fault.byMs * 1000);
    return total;
  }

  strikeAll(hits: readonly Armed[], process: Process | null): void {
    // Taken first: a pause among the hits moves the process's time on.
    const atUs = process === null ? null : process.nowUs;
    for (const armed of hits) {
      armed.struck++;
      this.striker?.triggered(armed, process, atUs);
    }
  }

  /** Indexes of faults that never struck although nothing was left to chance. */
  untriggered(): number[] {
    return this.armed
      .filter((armed) => armed.struck === 0 && armed.trigger.chance === 1)
      .map((armed) => armed.index);
  }
}
