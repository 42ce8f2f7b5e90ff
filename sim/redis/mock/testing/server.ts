/** An engine on its own, for tests: its connections, its clock and what it tells. */
import { inMacrotask } from '../../../kernel/macrotask.js';
import { keyspaceHost, modeOf, type Bytes, type Keyspace, type KeyspaceFactory } from '../../keyspace.js';
import { DoubleReply, ErrorReply, MapReply, NilArrayReply, SetReply, StatusReply } from '../../keyspace.js';
import type { Reply, Session } from '../../keyspace.js';

/** 2026-01-01T00:00:00Z. */
export const START_MS = 1_767_225_600_000;

export class EngineServer {
  readonly keyspace: Keyspace;
  /** `effect key`, and `@ms` after the start where the key has a deadline. */
  readonly changes: string[] = [];
  /** Pushes and late replies, by connection: `2: ["message", "ch", "hi"]`. */
  readonly told: string[] = [];
  private readonly sessions = new Map<number, Session>();
  nowMs = 0;

  constructor(create: KeyspaceFactory) {
    const tell = (session: Session, reply: Reply): void => {
      const [number] = [...this.sessions].find(([, known]) => known === session)!;
      this.told.push(`${number}: ${replyText(reply)}`);
    };
    this.keyspace = create(
      modeOf(),
      keyspaceHost({
        keyChanged: (key, effect, deadlineMs) =>
          this.changes.push(`${effect} ${key}${deadlineMs === null ? '' : ` @${deadlineMs - START_MS}`}`),
        push: tell,
        unblocked: tell,
        hangUp: (session) => tell(session, new StatusReply('hangs up')),
      }),
    );
  }

  private session(number: number): Session {
    let session = this.sessions.get(number);
    if (session === undefined) this.sessions.set(number, (session = this.keyspace.openSession()));
    return session;
  }

  execute(args: readonly Bytes[], connection = 1): Reply {
    return this.keyspace.execute(this.session(connection), args, (START_MS + this.nowMs) * 1000);
  }

  /** The reply to a command written with spaces; in its own macrotask, as the drain needs it. */
  ask(line: string | readonly Bytes[], connection = 1): Promise<string> {
    const args = typeof line === 'string' ? line.split(' ') : line;
    return inMacrotask(() => replyText(this.execute(args, connection)));
  }

  /** What was told since the last time. */
  heard(): string[] {
    return this.told.splice(0);
  }

  changed(): string[] {
    return this.changes.splice(0);
  }

  wait(ms: number): Promise<void> {
    this.nowMs += ms;
    return inMacrotask(() => this.keyspace.wake((START_MS + this.nowMs) * 1000));
  }

  close(connection: number): void {
    this.keyspace.closeSession(this.session(connection));
    this.sessions.delete(connection);
  }
}

/** A reply in which every kind looks different: `OK`, `"OK"`, `(integer) 1`, `(nil)`, `(nil array)`, `(error) ERR ...`. */
export function replyText(reply: Reply): string {
  if (reply === null) return '(nil)';
  if (typeof reply === 'string') return JSON.stringify(reply);
  if (typeof reply === 'number' || typeof reply === 'bigint') return `(integer) ${reply}`;
  if (reply instanceof StatusReply) return reply.text;
  if (reply instanceof ErrorReply) return `(error) ${reply.text}`;
  if (reply instanceof NilArrayReply) return '(nil array)';
  if (reply instanceof DoubleReply) return `(double) ${reply.value}`;
  if (reply instanceof MapReply) return `{${reply.pairs.map(replyText).join(', ')}}`;
  if (reply instanceof SetReply) return `{${reply.members.map(replyText).join(', ')}}`;
  return `[${(reply as readonly Reply[]).map(replyText).join(', ')}]`;
}
