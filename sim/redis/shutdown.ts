import { nextCronTurn, type Ending } from './persistence/disk.js';
import type { RedisServer } from './server.js';

/** Redis' `shutdown-timeout`. */
const PATIENCE_MS = 10_000;

/**
 * An orderly end (SIGTERM, SHUTDOWN). As Redis since 7.0 a server whose replicas lag takes no more writes and waits until they
 * have acknowledged everything, which they do once a second, for at most ten seconds by its wall clock.
 */
export class Shutdown {
  private deadlineMs = 0;
  private life = 0;

  /** @param over called when the server is gone, whatever ended it */
  constructor(
    private readonly server: RedisServer,
    private readonly how: Ending,
    private readonly over: () => void,
  ) {}

  begin(): void {
    const { server } = this;
    this.life = server.life;
    this.deadlineMs = server.wallUs / 1000 + PATIENCE_MS;
    if (server.replication.followers.caughtUp) this.finish();
    else this.wait();
  }

  private wait(): void {
    const { server } = this;
    const session = server.keyspace.openSession();
    server.keyspace.execute(session, ['CLIENT', 'PAUSE', String(2 * PATIENCE_MS), 'WRITE'], server.wallUs);
    server.keyspace.closeSession(session);
    server.alarm.set();
    this.lookAgain();
  }

  private lookAgain(): void {
    const { server } = this;
    server.kernel.at(nextCronTurn(server), null, Shutdown.look, this as Shutdown, null);
  }

  private static look(shutdown: Shutdown): void {
    const { server, life, deadlineMs } = shutdown;
    if (server.life !== life) shutdown.over();
    else if (server.paused) shutdown.lookAgain();
    else if (server.wallUs / 1000 >= deadlineMs || server.replication.followers.caughtUp) shutdown.finish();
    else shutdown.lookAgain();
  }

  private finish(): void {
    const { server, how } = this;
    server.crash(how);
    server.replication.network.sever(server.name);
    this.over();
  }
}
