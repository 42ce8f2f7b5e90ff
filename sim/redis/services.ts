/** What a server answers that is not about keys: its role, its replicas, its disk. */
import type { Bytes, ErrorReply, Reply, ServerServices, Session } from './keyspace.js';
import { diskCommand } from './persistence/commands.js';
import type { RedisServer } from './server.js';

export class Services implements ServerServices {
  constructor(private readonly server: RedisServer) {}

  role(): Reply {
    const { replication } = this.server;
    const { link, offset } = replication;
    if (link === null) return ['master', offset, []];
    return ['slave', link.master.name, 6379, link.inSync ? 'connected' : 'connect', offset];
  }

  info(section: string): readonly string[] {
    if (section === 'persistence')
      return [`loading:${this.server.mode.loading ? 1 : 0}`, ...this.server.disk.info()];
    return section === 'replication' ? [`role:${this.server.mode.replica ? 'slave' : 'master'}`] : [];
  }

  wait(_session: Session, _replicas: number, _timeoutMs: number): Reply {
    return 0;
  }

  command(_session: Session, args: readonly Bytes[]): Reply | undefined {
    return diskCommand(this.server, args);
  }

  route(_session: Session, _keys: readonly Bytes[], _writes: boolean): ErrorReply | null {
    return null;
  }

  busy(forUs: number): void {
    this.server.keepBusy(forUs);
  }
}
