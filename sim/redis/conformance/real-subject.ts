import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { FrozenClock, installedFaketime } from './faketime.js';
import { installedRedis, RealRedis, type RealConnection } from './real-redis.js';
import { CONNECTIONS, isCommand, START_MS, type Step } from './step.js';
import { HUNG_UP, withIds, type Outcome, type Received, type Subject } from './subject.js';

/** What the suite needs and is not installed, in words; undefined: nothing is missing. */
export function missing(): string | undefined {
  const parts = [
    ...(installedRedis() === undefined ? ['redis-server'] : []),
    ...(installedFaketime() === undefined ? ['faketime'] : []),
  ];
  return parts.length === 0 ? undefined : `${parts.join(' and ')} not installed`;
}

/** Keys expire when they are touched, or when the suite says so: never by the server's own cycle, at a moment of its choice. */
const OPTIONS = ['--enable-debug-command', 'yes', '--hz', '100', '--databases', '16'];
/** Several turns of that timer. */
const SETTLE_MS = 30;
/** How many of them sequences use. */
const DATABASES = 2;

/** Bytes that the server takes at least, where there are as many, when it reads from a connection. */
const LEAST_READ = 8192;

interface Peer {
  readonly connection: RealConnection;
  readonly id: number;
  reportedClosed: boolean;
}

/** A real redis-server whose wall clock stands still between the steps that move it. */
export class RealSubject implements Subject {
  readonly name: string;
  #peers: Peer[] = [];
  #wallUs = START_MS * 1000;
  /** A script was running for too long. */
  #wasBusy = false;
  /** CLIENT PAUSE was sent: its end is seen by the server's own timer only. */
  #paused = false;

  private constructor(
    private readonly redis: RealRedis,
    private readonly clock: FrozenClock,
    /** Sends no step: it sets up, and tells when everything was answered. */
    private readonly control: RealConnection,
    version: string,
  ) {
    this.name = `redis-server ${version}`;
  }

  static async start(): Promise<RealSubject> {
    const clock = new FrozenClock(installedFaketime()!, START_MS * 1000);
    const redis = await RealRedis.start(OPTIONS, clock);
    const control = await redis.connect();
    await control.send(['DEBUG', 'SET-ACTIVE-EXPIRE', '0']);
    return new RealSubject(redis, clock, control, installedRedis()!);
  }

  /** Asks outside any sequence. */
  ask(args: readonly Bytes[]): Promise<Reply> {
    return this.control.send(args);
  }

  stop(): void {
    this.redis.stop();
    this.clock.remove();
  }

  get ids(): readonly number[] {
    return this.#peers.map(({ id }) => id);
  }

  async reset(): Promise<void> {
    for (const { connection } of this.#peers) connection.close();
    this.#peers = [];
    this.#moveTo(START_MS * 1000);
    await this.#endScripts();
    this.#paused = false;
    void this.control.send(['CLIENT', 'UNPAUSE']);
    await this.control.send([
      'CONFIG',
      'SET',
      'busy-reply-threshold',
      '5000',
      'requirepass',
      '',
      'notify-keyspace-events',
      '',
    ]);
    const opened = Array.from({ length: CONNECTIONS }, () => this.#open());
    void this.control.send(['FLUSHALL']);
    await this.control.send(['SCRIPT', 'FLUSH']);
    for (const each of opened) this.#peers.push(await each);
  }

  async #open(): Promise<Peer> {
    const connection = await this.redis.connect();
    return { connection, id: Number(await connection.send(['CLIENT', 'ID'])), reportedClosed: false };
  }

  #moveTo(wallUs: number): void {
    this.#wallUs = wallUs;
    this.clock.set(wallUs);
  }

  async run(step: Step): Promise<Outcome> {
    let bytes = 0;
    if (isCommand(step)) {
      const { connection } = this.#peers[step.connection]!;
      if (!connection.closed) bytes = connection.post(withIds(step.args, this.ids));
      if (/^(quit|client)$/i.test(step.args[0]!)) bytes += LEAST_READ;
    } else {
      this.#moveTo(this.#wallUs + step.moveUs);
      if (this.#paused) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
      if (step.expires) await this.#removeExpired();
    }
    if (isCommand(step) && isSubcommand(step.args, 'script', 'kill')) await this.#killed();
    if (isCommand(step) && isSubcommand(step.args, 'client', 'pause')) this.#paused = true;
    await this.#everythingAnswered(bytes);
    return this.#peers.map(collect);
  }

  async #isBusy(): Promise<boolean> {
    const busy = (await this.control.send(['PING'])) instanceof ErrorReply;
    this.#wasBusy ||= busy;
    return busy;
  }

  /** Behind a script that never ends there may be another that its connection has sent. */
  async #endScripts(): Promise<void> {
    for (let calm = 0; this.#wasBusy && calm < 3; calm++) {
      if (!(await this.#isBusy())) continue;
      await this.control.send(['SCRIPT', 'KILL']);
      calm = -1;
    }
    this.#wasBusy = false;
  }

  /** A script that was killed hears of it a moment after the others have had their answers; it may not have been killed. */
  async #killed(): Promise<void> {
    for (let round = 0; round < 50 && (await this.#isBusy()); round++);
  }

  /** A key that is expired goes when SCAN comes across it. */
  async #removeExpired(): Promise<void> {
    for (let database = DATABASES - 1; database >= 0; database--) {
      void this.control.send(['SELECT', String(database)]);
      await this.control.send(['SCAN', '0', 'COUNT', '1000']);
    }
  }

  /**
   * When the second marker is back, everything that the step caused was written to the sockets before: the server had read
   * the step when it read the first marker, and flushes all replies before it reads again. One turn of our own event loop
   * then reads them. It reads a large command and writes a large reply piece by piece, one a round.
   */
  async #everythingAnswered(bytes: number): Promise<void> {
    const rounds = 2 + Math.floor(bytes / LEAST_READ);
    // Of a connection that was ended in the middle of a reply the rest never comes.
    const midway = (): boolean =>
      this.#peers.some(({ connection }) => connection.midway && !connection.closed);
    for (let round = 0; round < rounds || midway(); round++) {
      await this.#isBusy();
      if (round >= 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

function isSubcommand([name = '', sub = '']: readonly Bytes[], container: string, wanted: string): boolean {
  return name.toLowerCase() === container && sub.toLowerCase() === wanted;
}

function collect(peer: Peer): Received[] {
  const received: Received[] = peer.connection.unclaimed.splice(0) as Reply[];
  if (peer.connection.closed && !peer.reportedClosed) {
    peer.reportedClosed = true;
    received.push(HUNG_UP);
  }
  return received;
}
