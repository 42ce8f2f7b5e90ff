/**
 * Faults as data, drawn as plain numbers and made concrete for a world of so many hosts. Drawing numbers first keeps
 * shrinking whole: a smaller number is a simpler fault, whichever world it strikes.
 */
import * as fc from 'fast-check';
import type { FaultKind, ScenarioInput, TriggerEvent } from '../../sim/scenario/schema.js';

type FaultInput = NonNullable<ScenarioInput['faults']>[number];

/** What faults need to know of the world that they strike. */
export interface World {
  readonly processes: number;
  readonly servers: number;
  readonly replicas: number;
  readonly ttlMs: number;
}

/**
 * Kinds that a campaign draws from; `heal`, `release` and `restart` come as the ends of others. A new kind goes to the end: what was
 * drawn before of the others is then drawn again.
 */
export const DRAWN_KINDS = [
  'pause',
  'delay',
  'step-clock',
  'set-drift',
  'crash',
  'partition',
  'hold',
  'slow',
  'reset',
  'promote',
  'shutdown',
  'fill',
] as const satisfies readonly FaultKind[];
export type DrawnKind = (typeof DRAWN_KINDS)[number];

/** Where a pause or a crash is most easily forgotten. */
export const HOLDER_MOMENTS = [
  'granted',
  'used',
  'checked',
  'voted',
  'sent',
  'replied',
  'releasing',
  'refreshing',
  'clock-read',
] as const satisfies readonly TriggerEvent[];

/** Moments at which locks are most easily hurt, the plainest first. */
const MOMENTS = [
  ...HOLDER_MOMENTS,
  'applied',
  'asked',
  'replicated',
  'released',
  'lost',
] as const satisfies readonly TriggerEvent[];

/**
 * A run in which a certain fault never struck is not judged; of a fault with a chance it is judged as one without it. A
 * generated moment may well not come.
 */
export const NEARLY_ALWAYS = 0.999;

/** A fault before its world is known: only small numbers. */
export interface FaultNumbers {
  readonly kind: number;
  readonly aimed: boolean;
  readonly moment: number;
  readonly nth: number;
  /** Per cent of the ttl, for instants after the start or after the moment. */
  readonly at: number;
  readonly process: number;
  readonly server: number;
  /** The other side of a cut: a server or the storage. */
  readonly side: number;
  /** Per cent of the ttl. */
  readonly duration: number;
  /** Per cent of the ttl, back or forward. */
  readonly jump: number;
  readonly driftPercent: number;
  readonly lasting: boolean;
  readonly oneWay: boolean;
}

/** Draws one fault of `kinds`; a fault of a kind that the world can't have becomes a pause. */
export function faultNumbers(): fc.Arbitrary<FaultNumbers> {
  return fc.record({
    kind: fc.nat({ max: 99 }),
    aimed: fc.boolean(),
    moment: fc.nat({ max: MOMENTS.length - 1 }),
    nth: fc.integer({ min: 1, max: 4 }),
    at: fc.nat({ max: 120 }),
    process: fc.nat({ max: 3 }),
    server: fc.nat({ max: 4 }),
    side: fc.nat({ max: 9 }),
    duration: fc.integer({ min: 1, max: 200 }),
    jump: fc.integer({ min: -150, max: 150 }),
    driftPercent: fc.integer({ min: -20, max: 20 }),
    lasting: fc.boolean(),
    oneWay: fc.boolean(),
  });
}

/** The fault in its world. Deterministic; every host it names exists. */
export function makeFault(numbers: FaultNumbers, kinds: readonly DrawnKind[], world: World): FaultInput {
  const kind = kinds[numbers.kind % kinds.length]!;
  const build = new FaultBuilder(numbers, world);
  return kind === 'promote' && world.replicas === 0 ? build.fault('pause') : build.fault(kind);
}

/** Servers that are filled may use so many bytes by the engine's reckoning; a lock key takes about a hundred. */
export const MAX_MEMORY = 10_000;

/** Room for a few keys is left, or the limit is passed by as much. */
function bytesOf({ duration }: FaultNumbers): number {
  return MAX_MEMORY + 5 * (duration - 100);
}

class FaultBuilder {
  private readonly process: string;
  private readonly server: string;

  constructor(
    private readonly numbers: FaultNumbers,
    private readonly world: World,
  ) {
    this.process = `p${(numbers.process % world.processes) + 1}`;
    this.server = `redis-${(numbers.server % world.servers) + 1}`;
  }

  fault(kind: DrawnKind): FaultInput {
    const { numbers, process, server } = this;
    const when = this.when();
    const forMs = this.share(numbers.duration);
    switch (kind) {
      case 'pause':
        return { ...when, do: 'pause', host: numbers.side % 4 === 3 ? server : process, forMs };
      case 'delay':
        return { on: this.message(), do: 'delay', byMs: forMs };
      case 'step-clock':
        return { ...when, do: 'step-clock', host: this.either(), byMs: this.share(numbers.jump) };
      case 'set-drift':
        return { ...when, do: 'set-drift', host: this.either(), driftPpm: numbers.driftPercent * 10_000 };
      case 'crash':
        return this.crash(when, forMs);
      case 'partition': {
        const cut = {
          ...when,
          do: 'partition',
          from: process,
          to: this.farSide(),
          oneWay: numbers.oneWay,
        } as const;
        return numbers.lasting ? cut : { ...cut, forMs };
      }
      case 'hold': {
        const [from, to] = numbers.oneWay ? [process, this.farSide()] : [this.farSide(), process];
        return { ...when, do: 'hold', from, to, forMs };
      }
      case 'slow':
        return {
          ...when,
          do: 'slow',
          from: process,
          to: this.farSide(),
          latencyMs: this.share(numbers.duration / 4),
          forMs,
        };
      case 'reset':
        return { ...when, do: 'reset', from: process, to: server };
      case 'promote':
        return { ...when, do: 'promote', host: server };
      case 'shutdown':
        return this.backUnlessLasting({ ...when, do: 'shutdown', host: server }, forMs);
      case 'fill':
        return { ...when, do: 'fill', host: server, bytes: bytesOf(numbers) };
    }
  }

  private crash(when: ReturnType<FaultBuilder['when']>, downMs: number): FaultInput {
    const { numbers, process, server } = this;
    const ofServer = numbers.side % 2 === 1;
    // A client program that crashed is somebody else's business to start again.
    if (!ofServer) return { ...when, do: 'crash', host: process };
    return this.backUnlessLasting({ ...when, do: 'crash', host: server, power: numbers.oneWay }, downMs);
  }

  private backUnlessLasting<T extends object>(stop: T, downMs: number): T & { restartAfterMs?: number } {
    return this.numbers.lasting ? stop : { ...stop, restartAfterMs: downMs };
  }

  private when() {
    const { numbers, process } = this;
    if (!numbers.aimed) return { atMs: this.share(numbers.at) };
    const event = MOMENTS[numbers.moment]!;
    const afterMs = numbers.at < 60 ? 0 : this.share(numbers.at - 60);
    return { on: { event, process, nth: numbers.nth, afterMs, chance: NEARLY_ALWAYS } };
  }

  private message() {
    const { numbers, process, server } = this;
    const event = (['used', 'sent', 'replied'] as const)[numbers.moment % 3]!;
    const place = event === 'used' || numbers.lasting ? {} : { server };
    return { event, process, nth: numbers.nth, ...place, chance: NEARLY_ALWAYS };
  }

  private either(): string {
    return this.numbers.side % 2 === 0 ? this.server : this.process;
  }

  private farSide(): string {
    return this.numbers.side === 9 ? 'storage' : this.server;
  }

  /** Per cent of the ttl in whole milliseconds. */
  private share(percent: number): number {
    return Math.round((this.world.ttlMs * percent) / 100);
  }
}
