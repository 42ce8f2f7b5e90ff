/** What a node answers clients: where keys are, and CLUSTER, READONLY, READWRITE and ASKING. */
import { ErrorReply, OK, type Bytes, type Reply, type Session } from '../keyspace.js';
import type { ClusterNode } from './node.js';
import { infoText, nodesText, PORT, shardsReply, slotsReply } from './report.js';
import { SLOTS, slotOf } from './slots.js';

const NOT_SERVED = new ErrorReply('CLUSTERDOWN Hash slot not served');
const DOWN = new ErrorReply('CLUSTERDOWN The cluster is down');
const CROSS_SLOT = new ErrorReply("CROSSSLOT Keys in request don't hash to the same slot");
const INVALID_SLOT = new ErrorReply('ERR Invalid slot');
const NOT_INTEGER = new ErrorReply('ERR value is not an integer or out of range');
export const NO_CLUSTER = new ErrorReply('ERR This instance has cluster support disabled');

/** Number of arguments, both words included, where it is fixed. */
const ARITY: ReadonlyMap<string, number> = new Map([
  ['info', 2],
  ['slots', 2],
  ['shards', 2],
  ['nodes', 2],
  ['myid', 2],
  ['keyslot', 3],
  ['countkeysinslot', 3],
  ['failover', -2],
]);

/** Commands that only a node of a cluster has. */
export function isClusterCommand(name: string): boolean {
  return name === 'cluster' || name === 'readonly' || name === 'readwrite' || name === 'asking';
}

export class ClusterCommands {
  /** Connections that may read from this node while it is a replica. */
  private readonly readers = new WeakSet<Session>();

  constructor(private readonly node: ClusterNode) {}

  /** Null: this node serves the keys. */
  route(session: Session, keys: readonly Bytes[], writes: boolean): ErrorReply | null {
    const { view, health } = this.node;
    const slot = slotOf(keys[0]!);
    const owner = view.ownerOf(slot);
    if (owner === null) return NOT_SERVED;
    for (let i = 1; i < keys.length; i++) if (slotOf(keys[i]!) !== slot) return CROSS_SLOT;
    if (!health.ok) return DOWN;
    if (owner === view.self) return null;
    if (owner === view.self.master && !writes && this.readers.has(session)) return null;
    return new ErrorReply(`MOVED ${slot} ${owner.name}:${PORT}`);
  }

  /** Undefined: not a command of the cluster. */
  run(session: Session, args: readonly Bytes[]): Reply | undefined {
    switch (args[0]!.toLowerCase()) {
      case 'cluster':
        return this.cluster(args);
      case 'readonly':
        this.readers.add(session);
        return OK;
      case 'readwrite':
        this.readers.delete(session);
        return OK;
      case 'asking':
        // No slot is ever on the move here: nothing to ask for.
        return OK;
      default:
        return undefined;
    }
  }

  private cluster(args: readonly Bytes[]): Reply {
    const sub = args[1]!.toLowerCase();
    const arity = ARITY.get(sub);
    if (arity === undefined) {
      const shown = args[1]!.slice(0, 128).replace(/[\r\n]/g, ' ');
      return new ErrorReply(`ERR unknown subcommand '${shown}'. Try CLUSTER HELP.`);
    }
    if (arity >= 0 && args.length !== arity)
      return new ErrorReply(`ERR wrong number of arguments for 'cluster|${sub}' command`);
    const { node } = this;
    switch (sub) {
      case 'info':
        return infoText(node);
      case 'slots':
        return slotsReply(node);
      case 'shards':
        return shardsReply(node);
      case 'nodes':
        return nodesText(node);
      case 'myid':
        return node.view.self.id;
      case 'keyslot':
        return slotOf(args[2]!);
      case 'countkeysinslot':
        return this.countKeys(args[2]!);
      default:
        if (args.length <= 3) return node.manual.command(args);
        return new ErrorReply(
          `ERR unknown subcommand or wrong number of arguments for '${args[1]!}'. Try CLUSTER HELP.`,
        );
    }
  }

  private countKeys(text: Bytes): Reply {
    if (!/^(0|-?[1-9]\d*)$/.test(text) || !Number.isSafeInteger(Number(text))) return NOT_INTEGER;
    const slot = Number(text);
    if (slot < 0 || slot >= SLOTS) return INVALID_SLOT;
    let count = 0;
    for (const [key] of this.node.server.entries()) if (slotOf(key) === slot) count++;
    return count;
  }
}
