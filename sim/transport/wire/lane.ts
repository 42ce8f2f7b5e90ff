/**
 * A lane of a connection that speaks RESP. What the server sends becomes bytes in the protocol that the connection speaks at
 * that moment; replies to what came in one segment leave in one segment.
 */
import { uniformInt, type Stream } from '../../kernel/random.js';
import { Lane, type Message } from '../../network/channel.js';
import type { Bytes, Reply } from '../../redis/keyspace.js';
import { Push } from '../../redis/request.js';
import { encodeReply } from '../../redis/resp.js';
import { encodeAnswer3, encodePush3 } from '../../redis/resp3.js';
import { WireRequest } from './request.js';
import { PlainText, Replies, ServerDone, type ByteEnd, type Corkable } from './segments.js';

/** Where segments are cut; null: nowhere. */
export interface Cutter {
  readonly cuts: { readonly chance: number; readonly stream: Stream } | null;
}

export class WireLane extends Lane implements Corkable {
  private corked = false;
  private bytes: Bytes = '';
  private requests: WireRequest[] = [];
  /** How many bytes complete the reply to each of the requests. */
  private ends: number[] = [];

  cork(): void {
    this.corked = true;
  }

  uncork(): void {
    this.corked = false;
    this.flush(0);
  }

  override send(message: Message, extraUs = 0): void {
    if (this.toServer) {
      super.send(message, extraUs);
      return;
    }
    if (extraUs > 0) this.flush(0);
    if (!this.add(message)) {
      this.flush(0);
      super.send(message, extraUs);
    } else if (!this.corked || extraUs > 0) this.flush(extraUs);
  }

  override sendEnd(): void {
    this.send(new ServerDone());
  }

  /** False: it does not travel as bytes. */
  private add(message: Message): boolean {
    if (message instanceof WireRequest) {
      this.bytes += this.encoded(message);
      this.requests.push(message);
      this.ends.push(this.bytes.length);
    } else if (message instanceof Push) this.bytes += this.pushed(message.items);
    else if (message instanceof PlainText) this.bytes += message.bytes;
    else return false;
    return true;
  }

  private get speaks3(): boolean {
    return this.channel.session?.protocol === 3;
  }

  private encoded({ reply, args }: WireRequest): Bytes {
    return this.speaks3 ? encodeAnswer3(reply, args) : encodeReply(reply);
  }

  private pushed(items: readonly Reply[]): Bytes {
    return this.speaks3 ? encodePush3(items) : encodeReply(items);
  }

  private flush(extraUs: number): void {
    const { bytes, requests, ends } = this;
    if (bytes === '') return;
    this.bytes = '';
    this.requests = [];
    this.ends = [];
    const at = cutAt(this.channel.client as unknown as Cutter, bytes.length);
    if (at === 0) {
      super.send(new Replies(bytes, requests), extraUs);
      return;
    }
    const inFirst = ends.filter((end) => end <= at).length;
    super.send(new Replies(bytes.slice(0, at), requests.slice(0, inFirst)), extraUs);
    super.send(new Replies(bytes.slice(at), requests.slice(inFirst)), extraUs);
  }

  protected override launch(message: Message, extraUs: number): void {
    const { kernel } = this.network;
    const { nowUs } = kernel;
    if (nowUs !== (this.channel.client as unknown as WireEnd).greetsAtUs) super.launch(message, extraUs);
    else kernel.at(nowUs, null, Lane.arrive, this as Lane, message, !message.background);
  }
}

/** After how many bytes a segment is cut in two; 0: not at all. */
export function cutAt({ cuts }: Cutter, length: number): number {
  if (cuts === null || length < 2 || cuts.stream.next() >= cuts.chance) return 0;
  return uniformInt(cuts.stream, 1, length - 1);
}

export interface WireEnd extends ByteEnd, Cutter {
  /** What is sent at this instant takes no time: the connection was there when the program began. -1: it was not. */
  readonly greetsAtUs: number;
}
