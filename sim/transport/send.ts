import type { Moments } from '../faults/moments.js';
import type { Process } from '../host/process.js';
import type { Channel, Message } from '../network/channel.js';
import type { Request } from '../redis/request.js';

/**
 * A process sends a message to a server: faults that wait for it delay it, and strike.
 *
 * @param first the first command in it; undefined: there is none that a lock has sent
 * @param server the name that the fault schedule has for where it goes
 */
export function sendFrom(
  host: Process,
  channel: Channel,
  moments: Moments,
  message: Message,
  first: Request | undefined,
  server: string,
): void {
  // The step in which it crashed runs on to its end, and nothing of that leaves it.
  if (!host.up) return;
  const hits =
    moments.watching.sent === null || first === undefined
      ? null
      : moments.match('sent', host.name, server, first.args[0]!.toUpperCase());
  const delayUs = hits === null ? 0 : moments.delayUs(hits);
  if (host.ahead) host.effect(() => channel.toServer.send(message, delayUs));
  else channel.toServer.send(message, delayUs);
  if (hits !== null) moments.strikeAll(hits, host);
  // A command of a holder with no operation open: the lock renews by itself.
  if (moments.watching.refreshing !== null && first !== undefined && first.op === 'hold')
    moments.pass('refreshing', host, server, first.args[0]!.toUpperCase());
}
