import {
  BLOCKED,
  keyspaceHost,
  modeOf,
  NO_REPLY,
  type Bytes,
  type Keyspace,
  type KeyspaceFactory,
  type Session,
} from '../keyspace.js';
import { CONNECTIONS, isCommand, START_MS, type Step } from './step.js';
import { HUNG_UP, withIds, type Outcome, type Received, type Subject } from './subject.js';

interface Connection {
  readonly session: Session;
  readonly received: Received[];
  blocked: boolean;
  closed: boolean;
  /** Its end is in an outcome. */
  reported: boolean;
  /** What it sent while it was blocked. */
  readonly waiting: (readonly Bytes[])[];
}

/** An engine with the little of a server that sequences need: connections that wait, a clock that moves. */
export class KeyspaceSubject implements Subject {
  #keyspace!: Keyspace;
  #connections: Connection[] = [];
  /** Those that wait no longer, in the order in which their waiting ended. */
  #released: Connection[] = [];
  #executing: Connection | undefined;
  #wallUs = 0;

  constructor(
    readonly name: string,
    private readonly create: KeyspaceFactory,
  ) {}

  get ids(): readonly number[] {
    return this.#connections.map(({ session }) => session.id);
  }

  reset(): void {
    this.#wallUs = START_MS * 1000;
    this.#connections = [];
    this.#released = [];
    const of = (session: Session) => this.#connections.find((each) => each.session === session)!;
    const host = keyspaceHost({
      push: (session, message) => void of(session).received.push(message),
      unblocked: (session, reply) => {
        const connection = of(session);
        connection.blocked = false;
        if (reply !== NO_REPLY) connection.received.push(reply);
        this.#released.push(connection);
      },
      hangUp: (session) => this.#hangUp(of(session)),
    });
    this.#keyspace = this.create(modeOf(), host);
    for (let i = 0; i < CONNECTIONS; i++) {
      this.#connections.push({
        session: this.#keyspace.openSession(),
        received: [],
        blocked: false,
        closed: false,
        reported: false,
        waiting: [],
      });
    }
  }

  run(step: Step): Outcome {
    if (isCommand(step)) this.#send(this.#connections[step.connection]!, withIds(step.args, this.ids));
    else this.#moveClock(step.moveUs, step.expires);
    this.#catchUp();
    return this.#connections.map((connection) => {
      const received = connection.received.splice(0);
      if (connection.closed && !connection.reported) received.push(HUNG_UP);
      connection.reported = connection.closed;
      return received;
    });
  }

  #send(connection: Connection, args: readonly Bytes[]): void {
    if (connection.closed) return;
    if (connection.blocked) connection.waiting.push(args);
    else this.#execute(connection, args);
  }

  #execute(connection: Connection, args: readonly Bytes[]): void {
    this.#executing = connection;
    const reply = this.#keyspace.execute(connection.session, args, this.#wallUs);
    if (reply === BLOCKED) connection.blocked = true;
    else if (reply !== NO_REPLY) connection.received.push(reply);
  }

  /** Connections that wait no longer go on with what they had sent. */
  #catchUp(): void {
    for (
      let connection = this.#released.shift();
      connection !== undefined;
      connection = this.#released.shift()
    ) {
      while (connection.waiting.length > 0 && !connection.blocked && !connection.closed) {
        this.#execute(connection, connection.waiting.shift()!);
      }
    }
  }

  #moveClock(moveUs: number, expires: boolean): void {
    this.#wallUs += moveUs;
    if (expires && this.#keyspace.nextWakeMs() <= Math.floor(this.#wallUs / 1000))
      this.#keyspace.wake(this.#wallUs);
  }

  #hangUp(connection: Connection): void {
    if (connection.closed) return;
    connection.closed = true;
    // Who is ended by another does not get what was still to be written.
    if (connection !== this.#executing) connection.received.length = 0;
    this.#keyspace.closeSession(connection.session);
  }
}
