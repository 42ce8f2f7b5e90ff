/**
 * The connection of a cluster client to one node, as ioredis' connection pool keeps it: it is opened for the first command,
 * which waits for it, and one that is lost is not opened again: whoever needs the node next makes a new one.
 */
import { Connection } from './connection.js';
import { connectionClosed } from './failures.js';

export class NodeConnection extends Connection {
  /** Told when nothing more will come of this connection. */
  ended: ((connection: NodeConnection) => void) | null = null;

  protected override retryLater(): void {
    if (this.status === 'end') return;
    this.status = 'end';
    this.ended?.(this);
    this.flush(connectionClosed());
    this.emitter?.emit('end');
  }

  /** Given up by the client itself. */
  override end(): void {
    if (this.status === 'end') return;
    this.ended = null;
    super.end();
  }
}
