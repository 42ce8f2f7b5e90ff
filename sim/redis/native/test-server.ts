import {
  ErrorReply,
  keyspaceHost,
  modeOf,
  type KeyEffect,
  type Keyspace,
  type Reply,
  type ServerMode,
  type ServerServices,
  type Session,
  STANDALONE,
} from '../keyspace.js';
import { replyText } from '../reply-text.js';
import { createNativeKeyspace } from './keyspace.js';

export const START_MS = 1_700_000_000_000;

/** A server under test: what it did and said as text, and a clock in milliseconds after START_MS. */
export class TestServer {
  readonly changes: string[] = [];
  /** `unblocking 1`, `unblocked 1: reply`, `push 1: message`, `hang up 1`. */
  readonly said: string[] = [];
  readonly keyspace: Keyspace;
  readonly session: Session;
  nowMs = 0;

  constructor(
    readonly mode: ServerMode = modeOf(),
    services: Partial<ServerServices> = {},
  ) {
    this.keyspace = createNativeKeyspace(
      this.mode,
      keyspaceHost({
        keyChanged: (key: string, effect: KeyEffect, deadlineMs: number | null) => {
          const deadline = deadlineMs === null ? '' : ` until ${deadlineMs - START_MS}`;
          this.changes.push(`${effect} ${key}${deadline}`);
        },
        unblocking: (session) => this.said.push(`unblocking ${session.id}`),
        unblocked: (session, reply) => this.said.push(`unblocked ${session.id}: ${replyText(reply)}`),
        push: (session, message) => this.said.push(`push ${session.id}: ${replyText(message)}`),
        hangUp: (session) => this.said.push(`hang up ${session.id}`),
        services: { ...STANDALONE, ...services },
      }),
    );
    this.session = this.keyspace.openSession();
  }

  run(...args: string[]): Reply {
    return this.runFor(this.session, ...args);
  }

  runFor(session: Session, ...args: string[]): Reply {
    return this.keyspace.execute(session, args, (START_MS + this.nowMs) * 1000);
  }

  /** Moves the clock to this time and wakes the engine. */
  wakeAt(nowMs: number): void {
    this.nowMs = nowMs;
    this.keyspace.wake((START_MS + nowMs) * 1000);
  }

  /** What it has said since the last time it was asked. */
  heard(): string[] {
    return this.said.splice(0);
  }

  errorOf(...args: string[]): string {
    const reply = this.run(...args);
    if (!(reply instanceof ErrorReply)) throw new Error(`no error: ${replyText(reply)}`);
    return reply.text;
  }
}
