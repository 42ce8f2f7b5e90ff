/**
 * Pub/sub of a direct client, as ioredis has it: a connection that has subscribed takes hardly any other command, its
 * messages are events of the client, and after a reconnection it subscribes again. What was published meanwhile is lost.
 */
import type { Reply } from '../../redis/keyspace.js';
import { decodeBytes } from './bytes.js';
import { Batch, type Command } from './command.js';

interface Client {
  emit(event: string, ...args: unknown[]): void;
  run(name: string, args: unknown[]): Promise<unknown>;
}

const KINDS = ['subscribe', 'psubscribe', 'ssubscribe'] as const;
type Kind = (typeof KINDS)[number];

const ALLOWED = new Set([
  ...KINDS.map((kind) => kind.toUpperCase()),
  'UNSUBSCRIBE',
  'PUNSUBSCRIBE',
  'SUNSUBSCRIBE',
  'PING',
  'QUIT',
]);

/** The error with which a subscriber's connection refuses this; null: it takes it. */
export function refusesSubscriber(message: Command | Batch): Error | null {
  const commands = message instanceof Batch ? message.commands : [message];
  if (commands.every(({ args }) => ALLOWED.has(args[0]!.toUpperCase()))) return null;
  return new Error('Connection in subscriber mode, only subscriber commands may be used');
}

export class Subscriptions {
  private readonly names: Readonly<Record<Kind, Set<string>>> = {
    subscribe: new Set(),
    psubscribe: new Set(),
    ssubscribe: new Set(),
  };
  /** The connection is in subscriber mode. */
  active = false;
  /** Confirmations that are still to come for the command that waits for them. */
  private remaining = new WeakMap<Command, number>();

  constructor(private readonly client: Client) {}

  /**
   * Takes a message that was pushed. Gives the command that it confirms completely, if any.
   * @param inFlight commands that wait for their answers, in order
   */
  take(items: readonly Reply[], inFlight: readonly Command[]): Command | null {
    const [word, ...rest] = items;
    switch (word) {
      case 'message':
      case 'smessage':
      case 'pmessage':
        this.client.emit(word, ...rest.map((item) => decodeBytes(item as string)));
        return null;
      default:
        return this.confirm(word as string, rest[0] as string | null, rest[1] as number, inFlight);
    }
  }

  private confirm(
    word: string,
    name: string | null,
    count: number,
    inFlight: readonly Command[],
  ): Command | null {
    const kind = KINDS.find((each) => each === word);
    if (kind !== undefined) {
      this.active = true;
      this.names[kind].add(name!);
    } else {
      const left = this.names[word.replace('unsub', 'sub') as Kind];
      if (name !== null) left.delete(name);
      if (count === 0) this.active = false;
    }
    const command = inFlight.find(({ args }) => args[0]!.toLowerCase() === word);
    if (command === undefined) return null;
    const names = command.args.length - 1;
    // Without names it ends all subscriptions: the last confirmation counts none.
    if (names === 0) return count === 0 ? command : null;
    const remaining = (this.remaining.get(command) ?? names) - 1;
    this.remaining.set(command, remaining);
    return remaining === 0 ? command : null;
  }

  /** The connection is lost, and the server has forgotten it. */
  lost(): void {
    this.active = false;
  }

  /** The connection stands again. */
  renew(): void {
    for (const kind of KINDS) {
      const names = [...this.names[kind]];
      if (names.length > 0) this.client.run(kind.toUpperCase(), names).catch(() => {});
    }
  }
}
