/** The adapter passes on what redlock@4.2.0 says, with stand-ins for its clients: callback clients as ioredis is one. */
import { expect, it } from 'vitest';
import { createLock } from '../index.js';
import redlock4 from './redlock-4.js';

type Callback = (error: Error | null, reply?: unknown) => void;

/** A client whose `evalsha` answers what it is told to. */
function client(answer: () => unknown) {
  const values: string[] = [];
  return {
    values,
    evalsha(_sha: string, args: unknown[], callback: Callback) {
      values.push(String(args[2]));
      const reply = answer();
      if (reply instanceof Error) callback(reply);
      else callback(null, reply);
    },
  };
}

const connect = (clients: object[], options = {}) =>
  createLock(redlock4, { clients, options: { retryCount: 0, ...options } });

it('claims the end that the library states, and nothing more', async () => {
  const server = client(() => 1);
  const before = Date.now();
  const grant = await connect([server]).acquire('a', { ttlMs: 1000 });
  const end = grant.validUntil!();
  expect(end.clock).toBe('wall');
  expect(end.ms - before).toBeGreaterThanOrEqual(988);
  expect(end.ms - Date.now()).toBeLessThanOrEqual(988);
  expect(grant.lost).toBe(undefined);
  expect(grant.isHeld).toBe(undefined);
  expect(grant.value).toBe(server.values[0]);
  await grant.extend!(5000);
  expect(grant.validUntil!().ms - before).toBeGreaterThan(4000);
  await grant.release();
});

it('passes options on, and refuses one it has no use for', async () => {
  const grant = await connect([client(() => 1)], { driftFactor: 0.5 }).acquire('a', { ttlMs: 1000 });
  expect(grant.validUntil!().ms - Date.now()).toBeLessThanOrEqual(498);
  const watched = connect([client(() => 1)], { watchdog: true });
  await expect(watched.acquire('a', { ttlMs: 1000 })).rejects.toThrow('no option "watchdog"');
});

it('words contention as NotAcquired with the library’s own message', async () => {
  const asking = connect([client(() => 0)]).acquire('a', { ttlMs: 1000 });
  await expect(asking).rejects.toMatchObject({
    name: 'NotAcquired',
    message: expect.stringContaining('Exceeded 0 attempts'),
  });
});

it('leaves the library’s error of a failed release as it is', async () => {
  let reply = 1;
  const grant = await connect([client(() => reply)]).acquire('a', { ttlMs: 1000 });
  reply = 0;
  await expect(grant.release()).rejects.toMatchObject({ name: 'LockError' });
});

it('gives back what it got after the asking was withdrawn', async () => {
  const server = client(() => 1);
  const controller = new AbortController();
  const asking = connect([server]).acquire('a', { ttlMs: 1000, signal: controller.signal });
  const reason = new Error('not any more');
  controller.abort(reason);
  await expect(asking).rejects.toBe(reason);
  expect(server.values.length).toBe(2);
});

it('gives the retries with each call where it is asked to: the library takes a zero there for nothing', async () => {
  const given = client(() => 0);
  const once = connect([given], { retryDelayMs: 1, retryJitterMs: 0 }).acquire('a', { ttlMs: 1000 });
  await expect(once).rejects.toThrow('Exceeded 0 attempts');
  const perCall = { retryDelayMs: 1, retryJitterMs: 0, retriesPerCall: true };
  const eleven = connect([client(() => 0)], perCall).acquire('a', { ttlMs: 1000 });
  await expect(eleven).rejects.toThrow('Exceeded 10 attempts');
});
