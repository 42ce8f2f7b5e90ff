/** What a server answers that is not about keys: its role, its replicas, its disk. */
import { isClusterCommand, NO_CLUSTER } from './cluster/commands.js';
import type { Bytes, ErrorReply, Reply, ServerServices, Session } from './keyspace.js';
import { diskCommand } from './persistence/commands.js';
import { replicationCommand } from './replication/commands.js';
import { sha1Hex } from './lua/sha1.js';
import { infoOf, PORT, roleOf } from './replication/report.js';
import type { RedisServer } from './server.js';

export class Services implements ServerServices {
  private id = '';
  private idLife = -1;

  constructor(private readonly server: RedisServer) {}

  /** Another one in each life. */
  private get runId(): string {
    const { context, name, life } = this.server;
    if (this.idLife !== life) {
      this.id = sha1Hex(`${name}/${life}/${context.streams.open(name, 'run-id').uint32()}`);
      this.idLife = life;
    }
    return this.id;
  }

  role(): Reply {
    return roleOf(this.server.replication);
  }

  info(section: string): readonly string[] {
    if (section === 'server') return [`run_id:${this.runId}`, `tcp_port:${PORT}`];
    if (section === 'persistence')
      return [`loading:${this.server.mode.loading ? 1 : 0}`, ...this.server.disk.info()];
    return section === 'replication' ? infoOf(this.server.replication) : [];
  }

  wait(session: Session, replicas: number, timeoutMs: number): Reply {
    return this.server.replication.waiters.wait(session, replicas, timeoutMs);
  }

  setting(name: string, value: Bytes | null): Bytes | ErrorReply | undefined {
    const { replication } = this.server;
    if (value !== null && replication.settings.set(name, value)) replication.check();
    return replication.settings.get(name);
  }

  command(session: Session, args: readonly Bytes[]): Reply | undefined {
    if (isClusterCommand(args[0]!.toLowerCase())) {
      const { cluster } = this.server;
      return cluster === null ? NO_CLUSTER : cluster.command(session, args);
    }
    return replicationCommand(this.server, args) ?? diskCommand(this.server, args);
  }

  route(session: Session, keys: readonly Bytes[], writes: boolean): ErrorReply | null {
    const { cluster } = this.server;
    return cluster === null ? null : cluster.route(session, keys, writes);
  }

  busy(forUs: number): void {
    this.server.keepBusy(forUs);
  }
}
