/** What a server answers that is not about keys: its role, its replicas, its disk. */
import { ErrorReply, type Bytes, type Reply, type ServerServices, type Session } from './keyspace.js';
import { diskCommand } from './persistence/commands.js';
import { replicationCommand } from './replication/commands.js';
import { infoOf, roleOf } from './replication/report.js';
import type { RedisServer } from './server.js';

const WAIT_ON_REPLICA = new ErrorReply(
  'ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if a replica is configured to be writable (which is not the default) writes to replicas are just local and are not propagated.',
);

export class Services implements ServerServices {
  constructor(private readonly server: RedisServer) {}

  role(): Reply {
    return roleOf(this.server.replication);
  }

  info(section: string): readonly string[] {
    if (section === 'persistence')
      return [`loading:${this.server.mode.loading ? 1 : 0}`, ...this.server.disk.info()];
    return section === 'replication' ? infoOf(this.server.replication) : [];
  }

  wait(session: Session, replicas: number, timeoutMs: number): Reply {
    if (this.server.mode.replica) return WAIT_ON_REPLICA;
    return this.server.replication.waiters.wait(session, replicas, timeoutMs);
  }

  setting(name: string, value: Bytes | null): Bytes | ErrorReply | undefined {
    const { replication } = this.server;
    if (value !== null && replication.settings.set(name, value)) replication.check();
    return replication.settings.get(name);
  }

  command(_session: Session, args: readonly Bytes[]): Reply | undefined {
    return replicationCommand(this.server, args) ?? diskCommand(this.server, args);
  }

  route(_session: Session, _keys: readonly Bytes[], _writes: boolean): ErrorReply | null {
    return null;
  }

  busy(forUs: number): void {
    this.server.keepBusy(forUs);
  }
}
