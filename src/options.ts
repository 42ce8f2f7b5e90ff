/** Options of the reference locks and the pitfalls, as given in `scenario.lock.options` or to `createLock`. */
export interface LockOptions {
  /** Attempts after the first one; `Infinity`, given as -1 where only numbers of JSON can be, asks until it is withdrawn. */
  readonly retryCount: number;
  /** The pause between two attempts is uniform in delay ± jitter. */
  readonly retryDelayMs: number;
  readonly retryJitterMs: number;
  /** Share of the ttl allowed for clocks that run at different rates; 2 ms are added for Redis's whole milliseconds. */
  readonly driftFactor: number;
  /** A server that has not answered for this long counts as missing; undefined: the ttl. */
  readonly serverTimeoutMs: number | undefined;
  /** Renews the lease by itself, each time a third of it has passed. */
  readonly watchdog: boolean;
  /** Replicas of each server that must have the key before its vote counts (`WAIT`); 0: none are asked for. */
  readonly waitReplicas: number;
  /** How long to wait for them. */
  readonly waitMs: number;
}

/** What was read last: tasks of a process connect with the same options. */
let last: { given: object; serverTimeoutMs: number | undefined; options: LockOptions } | undefined;

/** Fills in defaults. Throws a RangeError that names an option that is unknown or out of its range. */
export function readOptions(
  given: Readonly<Record<string, unknown>>,
  serverTimeoutMs: number | undefined,
): LockOptions {
  if (last === undefined || last.given !== given || last.serverTimeoutMs !== serverTimeoutMs) {
    const options = checkOptions(given, serverTimeoutMs);
    // What may still change can't be remembered.
    if (!Object.isFrozen(given)) return options;
    last = { given, serverTimeoutMs, options };
  }
  return last.options;
}

function checkOptions(
  given: Readonly<Record<string, unknown>>,
  serverTimeoutMs: number | undefined,
): LockOptions {
  const options: LockOptions = {
    retryCount: 10,
    retryDelayMs: 200,
    retryJitterMs: 100,
    driftFactor: 0.01,
    serverTimeoutMs,
    watchdog: false,
    waitReplicas: 0,
    waitMs: 100,
  };
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(options, name)) {
      throw new RangeError(`unknown lock option "${name}"; known are ${Object.keys(options).join(', ')}`);
    }
    if (value === undefined) continue;
    if (!fits(name, value))
      throw new RangeError(`lock option "${name}" must be ${wanted(name)}, not ${String(value)}`);
  }
  const merged = { ...options, ...dropUndefined(given) };
  if (merged.driftFactor >= 1) throw new RangeError('lock option "driftFactor" must be below 1');
  return merged.retryCount === -1 ? { ...merged, retryCount: Infinity } : merged;
}

function fits(name: string, value: unknown): boolean {
  if (name === 'watchdog') return typeof value === 'boolean';
  return typeof value === 'number' && (value >= 0 || (name === 'retryCount' && value === -1));
}

function wanted(name: string): string {
  if (name === 'watchdog') return 'true or false';
  return name === 'retryCount'
    ? 'a number that is not negative, or -1 for no end'
    : 'a number that is not negative';
}

function dropUndefined(given: Readonly<Record<string, unknown>>): Partial<LockOptions> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
