/** The locks that lockpick brings, by the names that `--lock` takes. Each is a module of its own that exports a lock. */
export interface LockEntry {
  readonly name: string;
  readonly title: string;
  /** Path of the module, relative to the package's root. */
  readonly entry: string;
  readonly kind: 'reference' | 'pitfall' | 'adapter';
  /** How many independent servers it wants; `'many'`: any number, one included. */
  readonly servers: 1 | 'many';
  /** A semaphore: it may have more than one permit. */
  readonly semaphore?: true;
  /** The one deliberate mistake of a pitfall, as a sentence. */
  readonly mistake?: string;
  /** The package that an adapter needs, in the version it is for. */
  readonly npm?: { readonly package: string; readonly version: string };
  /** The package that its clients are of, where it is not the newest of its kind that is supported: `redis@4`. */
  readonly clientPackage?: string;
  /** It takes clients of their real classes only: there is none for it on the direct transport. */
  readonly wireOnly?: true;
}

function reference(name: string, servers: 1 | 'many', title: string): LockEntry {
  return { name, title, entry: `src/locks/${name}.ts`, kind: 'reference', servers };
}

function pitfall(file: string, servers: 1 | 'many', title: string, mistake: string): LockEntry {
  return {
    name: `pitfall/${file}`,
    title,
    entry: `src/pitfalls/${file}.ts`,
    kind: 'pitfall',
    servers,
    mistake,
  };
}

/** @param variant which of the package's locks, where it has several and this is not the one that is meant by its name alone */
function adapter(
  file: string,
  servers: 1 | 'many',
  name: string,
  version: string,
  variant?: string,
): LockEntry {
  const full = `${name}@${version}`;
  return {
    name: variant === undefined ? full : `${full}/${variant}`,
    title: `The npm package ${name}, version ${version}${variant === undefined ? '' : `: ${variant}`}`,
    entry: `src/adapters/${file}.ts`,
    kind: 'adapter',
    servers,
    npm: { package: name, version },
  };
}

export const LOCKS: readonly LockEntry[] = [
  reference('single', 1, 'One server: SET NX PX, a random value, release by script'),
  reference('redlock', 'many', 'Redlock: a majority of independent servers'),
  reference('single-fenced', 1, 'One server, with a fencing token from a counter in the same script'),
  reference('redlock-fenced', 'many', 'Redlock, with a fencing token raised on a majority of its voters'),
  {
    ...reference('semaphore', 1, "A semaphore on one server: permits that run out by the server's clock"),
    semaphore: true,
  },
  pitfall('no-ttl', 1, 'No time to live', 'The key has no life: a holder that crashes keeps it for ever.'),
  pitfall(
    'setnx-then-expire',
    1,
    'SETNX, then EXPIRE',
    'The life is set by a second command: a crash between the two leaves a key without one.',
  ),
  pitfall('constant-value', 1, 'The same value for all', 'The value does not tell one holder from another.'),
  pitfall('del-without-check', 1, 'DEL without a check', 'Release deletes the key, whoever holds it by now.'),
  pitfall(
    'get-then-del',
    1,
    'GET, then DEL',
    'Release compares and deletes in two steps: the key may change hands between.',
  ),
  pitfall(
    'get-then-set',
    1,
    'GET, then SET',
    'Whether the lock is free is read first, from a replica if need be: it may have been taken since, or there already.',
  ),
  pitfall(
    'timestamp-lock',
    1,
    'The time of expiry as the value',
    'An expired lock is deleted and then set again, so that a second taker deletes the lock of the first.',
  ),
  pitfall(
    'no-validity-check',
    'many',
    'No validity check',
    'Success is reported without asking how long the votes took.',
  ),
  pitfall(
    'validity-from-reply',
    1,
    'Validity counted from the reply',
    'The lease is measured from the arrival of the reply instead of from the request.',
  ),
  pitfall(
    'validity-from-first-attempt',
    'many',
    'Validity counted from the first attempt',
    'The lease is measured from when the asking began instead of from the attempt that succeeded.',
  ),
  pitfall(
    'no-drift',
    'many',
    'No drift allowance',
    'Nothing is allowed for clocks that run at different rates.',
  ),
  pitfall(
    'half-quorum',
    'many',
    'Half is a quorum',
    'Half of an even number of servers is taken for a majority.',
  ),
  pitfall(
    'no-release-on-failure',
    'many',
    'No release on failure',
    'An attempt that failed leaves the keys it did set to their time to live.',
  ),
  pitfall(
    'waits-for-all',
    'many',
    'Waits for all servers',
    'There is no limit to the wait for a server that stays silent.',
  ),
  pitfall(
    'wall-clock-validity',
    'many',
    'Validity on the wall clock',
    'The end of the lease is compared with a clock that can be set back.',
  ),
  pitfall(
    'separate-incr',
    1,
    'The fencing token by a separate INCR',
    'The token is drawn by a command of its own after the lock was checked: tokens may come in another order than holds.',
  ),
  pitfall(
    'watchdog-gives-up',
    1,
    'A watchdog that gives up',
    'The first renewal that fails is the last, and nobody is told.',
  ),
  {
    ...pitfall(
      'semaphore-client-clock',
      1,
      'A semaphore by the clocks of its clients',
      'Permits run out by the wall clock of whoever asks next: one that is ahead takes away what still runs.',
    ),
    semaphore: true,
  },
  pitfall(
    'reentrant-count',
    1,
    'Entering again by a count',
    'A holder gets the lock again by a count in its own memory, though its key may have expired.',
  ),
  {
    name: 'redlock@4.2.0',
    title: 'The npm package redlock, version 4.2.0',
    entry: 'src/adapters/redlock-4.ts',
    kind: 'adapter',
    servers: 'many',
    npm: { package: 'redlock', version: '4.2.0' },
  },
  {
    ...adapter('redlock-4-legacy', 'many', 'redlock', '4.2.0', 'legacy'),
    clientPackage: 'redis@4',
  },
  adapter('redlock-5-beta.1', 'many', 'redlock', '5.0.0-beta.1'),
  adapter('redlock-5-beta.1-using', 'many', 'redlock', '5.0.0-beta.1', 'using'),
  adapter('redlock-5', 'many', 'redlock', '5.0.0-beta.2'),
  adapter('redlock-5-using', 'many', 'redlock', '5.0.0-beta.2', 'using'),
  adapter('sesamecare-redlock', 'many', '@sesamecare-oss/redlock', '1.4.0'),
  adapter('sesamecare-redlock-using', 'many', '@sesamecare-oss/redlock', '1.4.0', 'using'),
  adapter('redis-semaphore', 1, 'redis-semaphore', '5.8.0'),
  {
    ...adapter('redis-semaphore-semaphore', 1, 'redis-semaphore', '5.8.0', 'semaphore'),
    semaphore: true,
  },
  adapter('redis-semaphore-redlock-mutex', 'many', 'redis-semaphore', '5.8.0', 'redlock-mutex'),
  {
    ...adapter('redis-semaphore-redlock-semaphore', 'many', 'redis-semaphore', '5.8.0', 'redlock-semaphore'),
    semaphore: true,
  },
  { ...adapter('redis-semaphore-5.3.0', 1, 'redis-semaphore', '5.3.0'), wireOnly: true },
  { ...adapter('redis-semaphore-5.3.1', 1, 'redis-semaphore', '5.3.1'), wireOnly: true },
  { ...adapter('redis-semaphore-5.5.0', 1, 'redis-semaphore', '5.5.0'), wireOnly: true },
  { ...adapter('redis-semaphore-5.5', 1, 'redis-semaphore', '5.5.1'), wireOnly: true },
  adapter('redlock-universal-simple', 1, 'redlock-universal', '0.8.5', 'simple'),
  adapter('redlock-universal-redlock', 'many', 'redlock-universal', '0.8.5', 'redlock'),
  adapter('redlock-universal-using', 'many', 'redlock-universal', '0.8.5', 'using'),
  adapter('redlock-universal-lock-manager', 'many', 'redlock-universal', '0.8.5', 'lock-manager'),
  adapter('ioredis-lock-4', 1, 'ioredis-lock', '4.0.0'),
  adapter('ioredis-lock-6', 1, '@microfleet/ioredis-lock', '6.0.1'),
  { ...adapter('bullmq-5', 1, 'bullmq', '5.81.5'), wireOnly: true },
  adapter('redislock-1', 1, 'redislock', '1.3.0'),
  adapter('warlock-1', 1, 'node-redis-warlock', '1.0.2'),
  { ...adapter('redis-lock-1', 1, 'redis-lock', '1.0.0'), clientPackage: 'redis@4' },
  adapter('simple-redis-mutex-3', 1, 'simple-redis-mutex', '3.0.0'),
];

/** The lock of that very name. */
export function findLock(name: string): LockEntry | undefined {
  return LOCKS.find((lock) => lock.name === name);
}
