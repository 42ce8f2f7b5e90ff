/** What travels on a connection of real bytes. */
import type { Channel, Message } from '../../network/channel.js';
import type { Bytes } from '../../redis/keyspace.js';
import { ProtocolError } from '../../redis/request-parser.js';
import type { CommandServer } from '../../redis/request.js';
import type { WireRequest } from './request.js';

/** The process's end of such a connection. */
export interface ByteEnd {
  /** The server's machine has taken so many bytes. */
  taken(bytes: number): void;
  /** Bytes came; they complete the replies to these requests. */
  came(channel: Channel, bytes: Bytes, answered: readonly WireRequest[]): void;
  /** The server has closed its end. */
  ended(channel: Channel): void;
}

/** A lane whose messages wait while a segment is being worked off. */
export interface Corkable {
  cork(): void;
  uncork(): void;
}

/** Bytes to a server, with the commands that they complete: a command travels with its last byte. */
export class Segment implements Message {
  readonly what = 'request';
  readonly background = false;

  constructor(
    private readonly end: ByteEnd,
    private readonly length: number,
    private readonly requests: readonly (WireRequest | ProtocolError)[],
  ) {}

  get id(): number | undefined {
    const [first] = this.requests;
    return first instanceof ProtocolError ? undefined : first?.id;
  }

  served(channel: Channel): void {
    this.end.taken(this.length);
    if (this.requests.length === 0) return;
    const lane = channel.toClient as unknown as Corkable;
    const server = channel.server as CommandServer;
    // Several replies share a segment; one leaves at once.
    if (this.requests.length > 1) lane.cork();
    for (const request of this.requests) {
      if (request instanceof ProtocolError) {
        if (channel.session === null) break;
        channel.toClient.send(new PlainText(`-${request.text}\r\n`));
        channel.hangUp();
        break;
      }
      server.receive(channel, request);
    }
    lane.uncork();
  }

  answered(): void {}
}

/** Bytes from a server that answer no command. */
export class PlainText implements Message {
  readonly what = 'response';
  readonly id = undefined;
  readonly background = false;

  constructor(readonly bytes: Bytes) {}

  served(): void {}

  answered(): void {}
}

/** Bytes from a server, with the requests whose replies they complete. */
export class Replies implements Message {
  readonly what = 'response';
  readonly background = false;

  constructor(
    private readonly bytes: Bytes,
    private readonly requests: readonly WireRequest[],
  ) {}

  get id(): number | undefined {
    return this.requests[0]?.id;
  }

  served(): void {}

  answered(channel: Channel): void {
    (channel.client as unknown as ByteEnd).came(channel, this.bytes, this.requests);
  }
}

/** The client sends no more: what it has sent is worked off first, and the server closes its end, too. */
export class ClientDone implements Message {
  readonly what = 'request';
  readonly id = undefined;
  readonly background = false;

  served(channel: Channel): void {
    channel.hangUp();
  }

  answered(): void {}
}

/** The server sends no more. */
export class ServerDone implements Message {
  readonly what = 'response';
  readonly id = undefined;
  readonly background = false;

  served(): void {}

  answered(channel: Channel): void {
    channel.broken = true;
    (channel.client as unknown as ByteEnd).ended(channel);
  }
}
