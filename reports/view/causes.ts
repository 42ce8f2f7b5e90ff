/**
 * What an event of a history needed in order to happen: a message its sending, a grant the keys it was given, a set key the end of
 * the key before it, an expiry the deadline and the steps of the clock, a late use the pause in which it waited, a fault the moment it
 * was aimed at. These are dependencies read off the history, and not merely what came earlier.
 */
import type { EventOf, History, HistoryEvent } from '../../sim/history/events.js';
import { isEnd } from './model.js';
import { matches } from './moments.js';

type KeyEvent = EventOf<'key'>;

export class Causes {
  private readonly events: readonly HistoryEvent[];
  private readonly asked = new Map<string, number>();
  private readonly granted = new Map<string, number>();
  private readonly released = new Map<string, number>();
  /** Indexes of a hold's checks and of its uses as they were sent. */
  private readonly steps = new Map<string, number[]>();
  private readonly sent = new Map<number, number>();
  private readonly pauses = new Map<string, number[]>();
  private readonly clocks = new Map<string, number[]>();
  /** Crashes, restarts and promotions of a host. */
  private readonly ups = new Map<string, number[]>();
  /** Events of one key on one server. */
  private readonly keys = new Map<string, number[]>();
  /** Keys that each hold set. */
  private readonly sets = new Map<string, number[]>();
  private readonly faults: number[] = [];
  private readonly sentinels: number[] = [];
  private readonly links: number[] = [];
  private readonly memory = new Map<number, readonly number[]>();

  constructor(private readonly history: History) {
    this.events = history.events;
    this.events.forEach((event, index) => this.note(event, index));
  }

  private note(event: HistoryEvent, index: number): void {
    switch (event.kind) {
      case 'acquire':
        if (event.phase === 'invoke') this.asked.set(event.hold, index);
        else if (event.phase === 'ok') this.granted.set(event.hold, index);
        return;
      case 'release':
        if (event.phase === 'invoke') this.released.set(event.hold, index);
        return;
      case 'check':
        return push(this.steps, event.hold, index);
      case 'use':
        if (event.phase !== 'invoke') return;
        this.sent.set(event.use, index);
        return push(this.steps, event.hold, index);
      case 'pause':
        return push(this.pauses, event.host, index);
      case 'clock':
        return push(this.clocks, event.host, index);
      case 'crash':
      case 'restart':
      case 'promote':
        return push(this.ups, event.host, index);
      case 'key':
        push(this.keys, `${event.host} ${event.key}`, index);
        if (event.effect === 'set' && event.setter !== null) push(this.sets, event.setter, index);
        return;
      case 'fault':
        this.faults.push(index);
        return;
      case 'sentinel':
        this.sentinels.push(index);
        return;
      case 'link':
        this.links.push(index);
        return;
      default:
    }
  }

  /** Indexes of the events that this one needed directly, all before it. */
  of(index: number): readonly number[] {
    const known = this.memory.get(index);
    if (known !== undefined) return known;
    const event = this.events[index]!;
    const found = this.directly(event, index).filter(
      (cause) => cause !== undefined && cause < index && cause >= 0,
    );
    const causes = [...new Set(found as number[])].sort((a, b) => a - b);
    this.memory.set(index, causes);
    return causes;
  }

  private directly(event: HistoryEvent, index: number): readonly (number | undefined)[] {
    switch (event.kind) {
      case 'acquire':
        return event.phase === 'invoke' ? [] : this.ofGrant(event, index);
      case 'use':
        return event.phase === 'invoke' ? this.ofSending(event, index) : this.ofArrival(event, index);
      case 'check':
        return [
          this.granted.get(event.hold),
          this.clockChange(event.host, index),
          this.pauseBefore(event, index),
        ];
      case 'release':
        return [event.phase === 'invoke' ? this.lastStep(event.hold, index) : this.released.get(event.hold)];
      case 'extend':
      case 'lost':
        return [this.granted.get(event.hold), this.pauseBefore(event, index)];
      case 'key':
        return this.ofKey(event, index);
      case 'fault':
        return [this.momentOf(event, index)];
      case 'pause':
      case 'clock':
      case 'crash':
      case 'link':
        return [this.faultAt(event, index)];
      case 'restart':
        return [this.faultAt(event, index), last(this.ups.get(event.host), index)];
      case 'promote':
        return [
          this.faultAt(event, index),
          this.turn('+switch-master', event.host, index),
          last(this.ups.get(event.host), index),
        ];
      case 'sentinel':
        return this.ofSentinel(event, index);
      case 'pending':
        return [this.asked.get(event.hold)];
      case 'apply':
        return [event.hold === null ? undefined : this.asked.get(event.hold)];
      case 'reply':
        return [
          this.events.findLastIndex(
            (other, at) => at < index && other.kind === 'apply' && other.command === event.command,
          ),
        ];
      default:
        return [];
    }
  }

  /** The keys that were set for it, and the pause in which its answers waited. */
  private ofGrant(event: EventOf<'acquire'>, index: number): (number | undefined)[] {
    const sets = (this.sets.get(event.hold) ?? []).filter((set) => set < index);
    const latest = new Map<string, number>();
    for (const set of sets) latest.set(this.events[set]!.host, set);
    const askedAt = this.asked.get(event.hold);
    return [
      ...latest.values(),
      ...(latest.size === 0 ? [askedAt] : []),
      this.pauseBefore(event, index, askedAt),
    ];
  }

  /** The look at the validity or the grant before it, and the pause that came between. */
  private ofSending(event: EventOf<'use'>, index: number): (number | undefined)[] {
    const before = last(this.steps.get(event.hold), index);
    const check = before !== undefined && this.events[before]!.kind === 'check' ? before : undefined;
    const after = check ?? this.granted.get(event.hold);
    return [after, this.pauseBefore(event, index, after)];
  }

  private ofArrival(event: EventOf<'use'>, index: number): (number | undefined)[] {
    const sending = this.sent.get(event.use);
    return [
      sending,
      this.pauseBefore(event, index, sending),
      ...(sending === undefined ? [] : this.delaysOf(sending)),
    ];
  }

  /** Faults that strike a message as it is sent. */
  private delaysOf(sending: number): number[] {
    const { tUs } = this.events[sending]!;
    return this.faults.filter((fault) => {
      const event = this.events[fault] as EventOf<'fault'>;
      return event.do === 'delay' && event.tUs === tUs && fault > sending;
    });
  }

  private lastStep(hold: string, index: number): number | undefined {
    return last(this.steps.get(hold), index) ?? this.granted.get(hold);
  }

  private ofKey(event: KeyEvent, index: number): (number | undefined)[] {
    const before = (this.keys.get(`${event.host} ${event.key}`) ?? []).filter((other) => other < index);
    const previous = before.at(-1);
    const life = before.findLast((other) => !isEnd((this.events[other] as KeyEvent).effect));
    switch (event.effect) {
      case 'set': {
        const asker =
          event.hold === null || event.hold === undefined ? undefined : this.asked.get(event.hold);
        return [
          asker,
          previous,
          ...this.rebornSince(event.host, previous ?? -1, index),
          ...this.delaysOnTheWay(event, asker ?? -1),
        ];
      }
      case 'expired':
        // A replica drops nothing by itself until it is the master.
        return [
          life,
          ...this.clockChanges(event.host, life ?? -1, index),
          ...this.rebornSince(event.host, life ?? -1, index),
        ];
      case 'lost':
      case 'restored':
        return [life, last(this.ups.get(event.host), index), this.promotionNear(event, index)];
      case 'evicted':
        return [
          life,
          this.faults.findLast(
            (fault) => fault < index && (this.events[fault] as EventOf<'fault'>).do === 'fill',
          ),
        ];
      default:
        return [life, this.doer(event)];
    }
  }

  /** Commands leave no event when they are sent: a delay of about as long as this one was on its way. */
  private delaysOnTheWay({ by, tUs }: KeyEvent, after: number): number[] {
    return this.faults.filter((index) => {
      const { do: what, fault, host, tUs: struckUs } = this.events[index] as EventOf<'fault'>;
      const entry = this.history.header.scenario.faults[fault];
      if (what !== 'delay' || entry?.do !== 'delay' || host !== by || index < after) return false;
      const restUs = tUs - struckUs - entry.byMs * 1000;
      return restUs >= 0 && restUs < entry.byMs * 1000;
    });
  }

  /** The operation whose command it was. */
  private doer({ hold, op }: KeyEvent): number | undefined {
    if (hold === null || hold === undefined) return undefined;
    if (op === 'release') return this.released.get(hold);
    return op === 'acquire' ? this.asked.get(hold) : (this.granted.get(hold) ?? this.asked.get(hold));
  }

  /** A node that came back or took over in the meantime begins with what it has. */
  private rebornSince(host: string, after: number, index: number): number[] {
    return [...(this.ups.get(host) ?? []), ...(this.ups.get(serverOf(host)) ?? [])].filter((up) => {
      const event = this.events[up]!;
      if (up <= after || up >= index) return false;
      return event.kind === 'promote'
        ? event.replica === host
        : event.kind === 'restart' && event.host === host;
    });
  }

  private promotionNear(event: KeyEvent, index: number): number | undefined {
    const ups = this.ups.get(serverOf(event.host)) ?? [];
    return ups.findLast((up) => up < index && this.events[up]!.kind === 'promote');
  }

  private clockChange(host: string, index: number): number | undefined {
    return this.clockChanges(host, -1, index).at(-1);
  }

  /** Steps and drifts of a host's clocks, and rates that are not those of true time from the start. */
  private clockChanges(host: string, after: number, index: number): number[] {
    return (this.clocks.get(host) ?? []).filter((clock) => {
      const event = this.events[clock] as EventOf<'clock'>;
      if (clock >= index) return false;
      return event.cause === 'initial' ? isOddFromTheStart(this.history, host) : clock > after;
    });
  }

  /** The last pause of the event's host that ended by then and began after `after`. */
  private pauseBefore(event: HistoryEvent, index: number, after = -1): number | undefined {
    return (this.pauses.get(event.host) ?? []).findLast((pause) => {
      const { untilUs } = this.events[pause] as EventOf<'pause'>;
      return pause < index && pause > after && untilUs <= event.tUs;
    });
  }

  /** The fault that struck as this: the last one of that instant. */
  private faultAt(event: HistoryEvent, index: number): number | undefined {
    const fault = last(this.faults, index);
    return fault !== undefined && this.events[fault]!.tUs === event.tUs ? fault : undefined;
  }

  private turn(what: string, server: string, index: number): number | undefined {
    return this.sentinels.findLast((other) => {
      const event = this.events[other] as EventOf<'sentinel'>;
      return other < index && event.what === what && event.server === server;
    });
  }

  private ofSentinel({ what, server }: EventOf<'sentinel'>, index: number): (number | undefined)[] {
    if (what === '+switch-master') return [this.turn('+odown', server, index)];
    const down = (this.ups.get(server) ?? []).findLast(
      (up) => up < index && this.events[up]!.kind === 'crash',
    );
    if (down !== undefined) return [down];
    return [
      this.links.find((link) => link < index && (this.events[link] as EventOf<'link'>).state === 'cut'),
    ];
  }

  /** The event that a fault was aimed at. */
  private momentOf(fault: EventOf<'fault'>, index: number): number | undefined {
    const on = this.history.header.scenario.faults[fault.fault]?.on;
    if (on === undefined) return undefined;
    const byUs = fault.tUs - Math.round(on.afterMs * 1000);
    for (let other = index - 1; other >= 0; other--) {
      const event = this.events[other]!;
      if (event.tUs <= byUs && matches(event, on)) return other;
    }
    return undefined;
  }
}

/** The scenario gives the host a clock that is off or runs at a rate of its own. */
export function isOddFromTheStart({ header }: History, host: string): boolean {
  const clock = header.scenario.clocks[host];
  return typeof clock === 'object' && (clock.offsetMs !== 0 || clock.driftPpm !== 0);
}

/** The server that a node belongs to. */
function serverOf(node: string): string {
  return node.replace(/-replica-\d+$/, '');
}

function push<K>(map: Map<K, number[]>, key: K, index: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [index]);
  else list.push(index);
}

/** The last of ascending indexes that lies before `index`. */
function last(indexes: readonly number[] | undefined, index: number): number | undefined {
  return indexes?.findLast((other) => other < index);
}
