/** The way to a queue: BullMQ, which the user installs, and a Redis that answers. */
import type * as BullMQ from 'bullmq';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandError } from '../exit.js';
import { RANGES } from './protocol.js';

export type Bull = typeof BullMQ;

/** How long the first answer of the Redis is waited for, in milliseconds. */
const PATIENCE_MS = 5000;

export interface Way {
  readonly bull: Bull;
  readonly connection: BullMQ.ConnectionOptions;
  /** The address without its password, for messages. */
  readonly shown: string;
}

/** @throws CommandError for an address that is none, without BullMQ, and where nobody answers */
export async function openWay(url: string): Promise<Way> {
  const shown = checkAddress(url);
  const bull = await loadBull();
  await checkAnswers(bull, url, shown);
  return { bull, connection: { url, maxRetriesPerRequest: null }, shown };
}

function checkAddress(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new CommandError(`--queue ${url}: not an address, as in redis://127.0.0.1:6379`);
  }
  if (parsed.protocol !== 'redis:' && parsed.protocol !== 'rediss:')
    throw new CommandError(
      `--queue ${url}: a queue is a Redis, redis:// or rediss://, and not ${parsed.protocol}//`,
    );
  if (parsed.password !== '') parsed.password = '***';
  return parsed.href;
}

async function loadBull(): Promise<Bull> {
  try {
    return await import('bullmq');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    // Where the command is called: lockpick itself may be installed elsewhere.
    const file = createRequire(path.join(process.cwd(), 'package.json')).resolve('bullmq');
    const loaded = (await import(pathToFileURL(file).href)) as { readonly default?: Bull };
    // A CommonJS package has its exports there as well.
    return loaded.default ?? (loaded as unknown as Bull);
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommandError('--queue needs the package bullmq, which is not installed: npm i -D bullmq');
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}

/** One connection that does not try again, to tell an address where nobody is from one that is slow. */
async function checkAnswers({ Queue }: Bull, url: string, shown: string): Promise<void> {
  let problem: Error | null = null;
  const queue = new Queue(RANGES, {
    connection: { url, retryStrategy: () => null, connectTimeout: PATIENCE_MS, maxRetriesPerRequest: 0 },
    // Nothing of it must outlive a failure.
    skipWaitingForReady: true,
  });
  queue.on('error', (error) => (problem ??= error));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${PATIENCE_MS / 1000} s`)), PATIENCE_MS);
  });
  try {
    await Promise.race([queue.waitUntilReady(), late]);
  } catch (error) {
    const { message } = problem ?? (error as Error);
    throw new CommandError(
      `the queue ${shown} cannot be reached: ${message || 'the connection was refused'}`,
    );
  } finally {
    clearTimeout(timer);
    await queue.close().catch(() => undefined);
  }
}
