/** Opening a connection: there and back once; refused where nothing listens. */
import type { Channel, Message } from '../network/channel.js';
import type { CommandServer } from './request.js';

/** Who opens it: told when the server has accepted; a refusal breaks the channel. */
export interface Opener {
  connected(channel: Channel): void;
}

export class Handshake implements Message {
  readonly what = 'request';
  readonly id = undefined;

  constructor(
    private readonly opener: Opener,
    readonly background = false,
  ) {}

  served(channel: Channel): void {
    const server = channel.server as CommandServer;
    if (server.up) server.accept(channel);
    channel.toClient.send(server.up ? this : new Refusal(this.background));
  }

  answered(channel: Channel): void {
    this.opener.connected(channel);
  }
}

class Refusal implements Message {
  readonly what = 'response';
  readonly id = undefined;

  constructor(readonly background: boolean) {}

  served(): void {}

  answered(channel: Channel): void {
    channel.break('ECONNREFUSED');
  }
}
