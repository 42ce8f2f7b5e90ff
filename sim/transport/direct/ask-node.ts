import type { Process } from '../../host/process.js';
import type { ProcessTimer } from '../../host/timer.js';
import type { Network } from '../../network/network.js';
import { ErrorReply, type Bytes, type Reply } from '../../redis/keyspace.js';
import { Peer } from '../../redis/peer.js';
import type { RedisServer } from '../../redis/server.js';

const TIMEOUT_US = 1_000_000;

/**
 * A client's own question to a node, on a connection that is opened for it and closed after it, as ioredis asks for the slots
 * (`slotsRefreshTimeout` 1000 ms).
 * @param done called in a step of the process: the reply, or null: an error, no connection, or no answer in time
 * @returns the timer of the time-out
 */
export function askNode(
  host: Process,
  network: Network,
  server: RedisServer,
  args: readonly Bytes[],
  done: (reply: Reply) => void,
): ProcessTimer {
  const { kernel } = network;
  let peer: Peer | null = null;
  let over = false;
  const settle = (reply: Reply): void => {
    if (over) return;
    over = true;
    timer.stop();
    host.effect(() => peer?.close());
    done(reply instanceof ErrorReply ? null : reply);
  };
  const inStep = (reply: Reply): void => host.step(settle, reply, undefined);
  const timer = host.startTimerUs(() => settle(null), TIMEOUT_US);
  // A paused process hears of it when it goes on.
  const broke = (): void => void kernel.at(kernel.nowUs, host, inStep, null, undefined, false);
  host.effect(() => {
    peer = new Peer(host, network, { broke }, server);
    peer.send(args, inStep);
  });
  return timer;
}
