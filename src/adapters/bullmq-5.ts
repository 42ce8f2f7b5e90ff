/**
 * bullmq@5.81.5 from npm, unmodified: the lock by which its `Worker` keeps a job to itself. A resource is a job: who asks adds it, unless it is
 * there, and has it when its own worker is given it; the processor runs until the release. The worker renews by itself, claims no end, and
 * tells of a renewal that failed.
 */
import './shared/plain-msgpackr.js';
import { randomUUID } from 'node:crypto';
import { Queue, Worker, type ConnectionOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { defineLock, NotAcquired, type AcquireOptions, type Grant, type LockEnv } from '../contract.js';
import { attemptsOf } from './shared/attempts.js';
import { refusing } from './shared/refusing.js';
import { unlessWithdrawn } from './shared/withdrawal.js';

const name = 'bullmq@5.81.5';
const JOB = 'job';

interface Asking {
  readonly queue: Queue;
  readonly attempts: number;
  readonly pauseMs: number;
}

export default defineLock({
  name,
  servers: 1,
  renews: true,
  connect({ clients, options }: LockEnv<Redis>) {
    const { retryCount = 10, retryDelayMs = 200 } = options as Record<string, number | undefined>;
    const queues = new Map<string, Queue>();
    const connection = clients[0]!;
    // Under the prefix it has by default its keys lie in several slots.
    if (connection.isCluster)
      return refusing(`${name} needs a prefix with a hash tag in a cluster, and has none here`);
    const queueOf = (resource: string): Queue => {
      let queue = queues.get(resource);
      if (queue === undefined)
        queues.set(resource, (queue = new Queue(resource, { connection: connection as ConnectionOptions })));
      return queue;
    };
    return {
      acquire: (resource, asked) =>
        acquire(
          connection,
          { queue: queueOf(resource), attempts: attemptsOf(retryCount), pauseMs: retryDelayMs },
          options,
          asked,
        ),
    };
  },
});

/** One worker an asking: it is closed when the section is over, or when others kept the job. */
async function acquire(
  connection: Redis,
  { queue, attempts, pauseMs }: Asking,
  options: LockEnv['options'],
  { ttlMs, signal }: AcquireOptions,
): Promise<Grant> {
  signal?.throwIfAborted();
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let given = (): void => {};
  const started = new Promise<'given'>((resolve) => (given = () => resolve('given')));
  const loss = new AbortController();
  const own = connection.duplicate({ maxRetriesPerRequest: null });
  const worker = new Worker(
    queue.name,
    async () => {
      given();
      await ended;
    },
    {
      connection: own as ConnectionOptions,
      lockDuration: ttlMs,
      stalledInterval: (options['stalledIntervalMs'] as number | undefined) ?? ttlMs,
      name: randomUUID(),
    },
  );
  // An error without a listener would end the process.
  worker.on('error', () => {});
  worker.on('lockRenewalFailed', () => loss.abort(new Error('lockRenewalFailed')));
  for (let attempt = 0; attempt < attempts; attempt++) {
    await queue.add('section', {}, { jobId: JOB, removeOnComplete: true, removeOnFail: true });
    const heard = await Promise.race([started, later(pauseMs)]);
    if (heard === 'given') {
      const grant: Grant = {
        lost: loss.signal,
        async release() {
          const done = new Promise<null>((resolve) => worker.once('completed', () => resolve(null)));
          const failure = new Promise<Error>((resolve) => worker.once('error', resolve));
          end();
          const error = await Promise.race([done, failure]);
          await closed(worker, own);
          if (error !== null) throw error;
        },
      };
      return unlessWithdrawn(signal, grant);
    }
    if (signal?.aborted === true) {
      await closed(worker, own);
      throw signal.reason;
    }
  }
  await closed(worker, own);
  throw new NotAcquired(`others have the job ${queue.name}`);
}

/** A worker leaves a connection that it was given as it is. */
async function closed(worker: Worker, own: Redis): Promise<void> {
  await worker.close();
  own.disconnect();
}

function later(ms: number): Promise<'later'> {
  return new Promise((resolve) => setTimeout(() => resolve('later'), ms));
}
