/** What a lock is, found out by asking for it once or twice in a world without faults. */
import type { Claim, History } from '../../../sim/history/events.js';
import type { LoadedLock } from '../../../sim/load.js';
import { simulate } from '../../../sim/run.js';
import { parseScenario } from '../../../sim/scenario/parse.js';
import type { ScenarioInput } from '../../../sim/scenario/schema.js';
import { LockModuleError } from '../../../sim/sealed/errors.js';
import { applySets } from '../../../sim/scenario/set-path.js';
import type { HuntSpec } from './spec.js';

export interface Traits {
  readonly servers: 1 | 'many';
  readonly semaphore: boolean;
  /** Its grants carry a fencing token. */
  readonly fences: boolean;
  /** It renews its leases by itself: `asked` as the option `watchdog` says. */
  readonly renews: 'never' | 'asked' | 'always';
  /** Without the option it renews. */
  readonly renewsByDefault?: boolean;
  /** Its clients do not follow where Sentinels or a cluster lead. */
  readonly fixedClients?: boolean;
  /** It takes the option `driftFactor`, or does not mind it. */
  readonly drifts: boolean;
  /** It claims the same end whatever `driftFactor` says: what it allows for drift is its own affair. */
  readonly fixedAllowance?: boolean;
  /** It was granted at all. */
  readonly granted: boolean;
  readonly processes: Pick<NonNullable<ScenarioInput['processes']>, 'transport' | 'clientPackage'>;
}

type LockOptions = NonNullable<NonNullable<ScenarioInput['lock']>['options']>;
type Processes = Traits['processes'];

export async function traitsOf(lock: LoadedLock, spec: HuntSpec): Promise<Traits> {
  const probe = new Probe(lock, spec);
  const { processes, plain } = await probe.reach();
  const claims = plain?.header.lock.claims ?? null;
  return {
    servers: lock.servers,
    semaphore: lock.semaphore,
    fences: claims?.fence === true,
    renews: plain === null ? 'never' : await probe.renews(processes, claims!.renews),
    renewsByDefault: claims?.renews === true,
    fixedClients: fixed(lock, processes),
    drifts: plain !== null && (await probe.run(processes, { driftFactor: 0.05 })) !== null,
    fixedAllowance: await probe.claimsTheSame(processes, { driftFactor: 0.05 }, { driftFactor: 0.2 }),
    granted: plain !== null,
    processes,
  };
}

/** The end that the first grant claims; null: none. */
function firstClaim(history: History | null): Claim | null {
  for (const event of history?.events ?? [])
    if (event.kind === 'acquire' && event.phase === 'ok') return event.claim;
  return null;
}

/** Of the clients that lockpick makes itself only ioredis' shape asks who the master is; of the packages all but one. */
function fixed({ client }: LoadedLock, processes: Processes): boolean {
  return processes?.transport === 'wire' ? processes.clientPackage === 'redis@4' : client !== 'ioredis';
}

/** Packages whose clients a lock may want that takes none of lockpick's own; some want the legacy mode of an older one. */
const IOREDIS = ['ioredis', 'redis@4'] as const;
const NODE_REDIS = ['redis', 'redis@4'] as const;

class Probe {
  constructor(
    private readonly lock: LoadedLock,
    private readonly spec: HuntSpec,
  ) {}

  /** Direct clients if they will do; a library that wants its own package's gets those. */
  async reach(): Promise<{ processes: Processes; plain: History | null }> {
    const direct = await this.run({}, {});
    const settled = this.spec.sets.some(({ path }) => path.startsWith('processes.'));
    if (direct !== null || settled) return { processes: {}, plain: direct };
    for (const clientPackage of this.lock.client === 'node-redis' ? NODE_REDIS : IOREDIS) {
      const processes = { transport: 'wire', clientPackage } as const;
      const wire = await this.run(processes, {});
      if (wire !== null) return { processes, plain: wire };
    }
    return { processes: {}, plain: null };
  }

  async renews(processes: Processes, byItself: boolean): Promise<Traits['renews']> {
    const other = await this.run(processes, { watchdog: !byItself });
    const changed = other !== null && other.header.lock.claims!.renews !== byItself;
    return changed ? 'asked' : byItself ? 'always' : 'never';
  }

  /** Both options lead to one and the same claim. */
  async claimsTheSame(processes: Processes, one: LockOptions, other: LockOptions): Promise<boolean> {
    const a = firstClaim(await this.run(processes, one));
    const b = firstClaim(await this.run(processes, other));
    return a !== null && b !== null && a.endMs === b.endMs;
  }

  /** The history of one process that asks once; null if it got nothing. */
  async run(processes: Processes, options: LockOptions): Promise<History | null> {
    const { lock, spec } = this;
    const scenario = parseScenario({
      id: 'hunt',
      seed: spec.seed,
      lock: { name: spec.lock, options },
      servers: { count: lock.servers === 1 ? 1 : 3 },
      processes: { ...processes, count: 1 },
    } satisfies ScenarioInput);
    const history = await simulate(applySets(scenario, spec.sets), lock).catch((error: unknown) => {
      // The package is not installed: then it is not the one that the lock is used with.
      if (processes?.transport === 'wire' && error instanceof LockModuleError) return null;
      throw error;
    });
    return history === null || history.header.lock.claims === null ? null : history;
  }
}
