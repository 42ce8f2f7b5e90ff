import { ErrorReply, NO_REPLY, OK, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import type { RedisServer } from '../server.js';

const SYNTAX = new ErrorReply('ERR syntax error');
const NOT_IN_CLUSTER = new ErrorReply('ERR REPLICAOF not allowed in cluster mode.');
const INVALID_PORT = new ErrorReply('ERR Invalid master port');
const ALREADY = new StatusReply('OK Already connected to specified master');
/** What a replica tells its master before it asks to be fed; simulated replicas need not say it. */
const INTRODUCTIONS = new Set([
  'listening-port',
  'ip-address',
  'capa',
  'rdb-only',
  'rdb-filter-only',
  'getack',
]);

/** REPLICAOF, SLAVEOF and REPLCONF; undefined: not a command of replication. */
export function replicationCommand(server: RedisServer, args: readonly Bytes[]): Reply | undefined {
  switch (args[0]!.toLowerCase()) {
    case 'replicaof':
    case 'slaveof':
      return replicaOf(server, args[1]!, args[2]!);
    case 'replconf':
      return introduction(args);
    default:
      return undefined;
  }
}

function replicaOf(server: RedisServer, host: Bytes, port: Bytes): Reply {
  if (server.mode.cluster) return NOT_IN_CLUSTER;
  if (host.toLowerCase() === 'no' && port.toLowerCase() === 'one') {
    // A deposed master that nobody has told yet is a master in its own eyes: the shard's is another one.
    if (server.mode.replica || server.shard.serving !== server) server.promote();
    return OK;
  }
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) return INVALID_PORT;
  return server.demote(host) ? OK : ALREADY;
}

function introduction(args: readonly Bytes[]): Reply {
  if (args.length % 2 === 0) return SYNTAX;
  for (let at = 1; at < args.length; at += 2) {
    const option = args[at]!.toLowerCase();
    if (option === 'ack') return NO_REPLY;
    if (!INTRODUCTIONS.has(option)) return new ErrorReply(`ERR Unrecognized REPLCONF option: ${args[at]!}`);
  }
  return OK;
}
