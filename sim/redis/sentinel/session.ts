/** A client's connection to a Sentinel: its protocol, its subscriptions. */
import type { Channel } from '../../network/channel.js';
import { NO_REPLY, type Bytes, type Reply, type Session } from '../keyspace.js';
import { matchesGlob } from '../native/glob.js';
import { Push } from '../request.js';

export class SentinelSession implements Session {
  protocol: 2 | 3 = 2;
  name = '';
  private readonly channels = new Set<Bytes>();
  private readonly patterns = new Set<Bytes>();

  constructor(
    readonly id: number,
    private readonly channel: Channel,
  ) {}

  private get subscriptions(): number {
    return this.channels.size + this.patterns.size;
  }

  /** With RESP2 a connection that has subscribed may do little else. */
  get restricted(): boolean {
    return this.protocol === 2 && this.subscriptions > 0;
  }

  subscribe(word: 'subscribe' | 'psubscribe', names: readonly Bytes[]): Reply {
    const set = word === 'subscribe' ? this.channels : this.patterns;
    for (const name of names) {
      set.add(name);
      this.push([word, name, this.subscriptions]);
    }
    return NO_REPLY;
  }

  unsubscribe(word: 'unsubscribe' | 'punsubscribe', names: readonly Bytes[]): Reply {
    const set = word === 'unsubscribe' ? this.channels : this.patterns;
    const gone = names.length > 0 ? names : [...set];
    for (const name of gone) {
      set.delete(name);
      this.push([word, name, this.subscriptions]);
    }
    if (gone.length === 0) this.push([word, null, this.subscriptions]);
    return NO_REPLY;
  }

  told(channel: Bytes, message: Bytes): void {
    if (this.channels.has(channel)) this.push(['message', channel, message]);
    for (const pattern of this.patterns)
      if (matchesGlob(pattern, channel)) this.push(['pmessage', pattern, channel, message]);
  }

  private push(items: readonly Reply[]): void {
    const { channel } = this;
    if (!channel.abandoned) channel.toClient.send(new Push(items, channel.client.background === true));
  }
}
