/** From what a command of the library gives to a reply, as little changed as a reply allows. */
import { ErrorReply, OK, PONG, StatusReply, type Bytes, type Reply } from '../keyspace.js';

/** Commands whose texts are status replies. What EVAL gives is a bulk string: the library forgets what it was. */
const STATUS_COMMANDS: ReadonlySet<string> = new Set([
  ...['auth', 'bgrewriteaof', 'bgsave', 'config', 'discard', 'flushall', 'flushdb', 'hmset', 'lset', 'ltrim'],
  ...[
    'mset',
    'ping',
    'psetex',
    'quit',
    'readwrite',
    'rename',
    'replconf',
    'replicaof',
    'save',
    'set',
    'setex',
  ],
  ...['slaveof', 'type', 'unwatch', 'watch'],
]);

/** @param args the whole command, its name first */
export function replyOf(value: unknown, command: string, args: readonly Bytes[]): Reply {
  if (typeof value === 'string' && STATUS_COMMANDS.has(command) && !givesValue(command, args)) {
    return value === 'OK' ? OK : value === 'PONG' ? PONG : new StatusReply(value);
  }
  return convert(value);
}

function givesValue(command: string, args: readonly Bytes[]): boolean {
  return command === 'ping' ? args.length > 1 : command === 'set' && args.includes('GET', 3);
}

function convert(value: unknown): Reply {
  switch (typeof value) {
    case 'string':
    case 'bigint':
      return value;
    case 'number':
      return Number.isInteger(value) ? value : String(value);
    case 'boolean':
      return value ? 1 : null;
    case 'object':
      return value === null ? null : convertObject(value);
    default:
      // Nothing, or a Lua table that is no list: the library hands out its interpreter's handle.
      return null;
  }
}

/** Where the library answers with a whole value of the wrong type, its members are the reply. */
function convertObject(value: object): Reply {
  if (Array.isArray(value)) return (value as readonly unknown[]).map(convert);
  if (value instanceof Uint8Array) return String.fromCharCode(...value);
  if (value instanceof Set) return [...(value as Set<unknown>)].map(convert);
  if (value instanceof Map) return [...(value as Map<unknown, unknown>).keys()].map(convert);
  return Object.entries(value).flatMap(([name, member]): Reply[] => [name, convert(member)]);
}

const PREFIX = /^[A-Z][A-Z]+ /;

/** Redis's own prefix where the library gives one, `ERR` otherwise; one line. */
export function errorOf(error: unknown): ErrorReply {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.replace(/[\r\n]+/g, ' ');
  return new ErrorReply(PREFIX.test(line) ? line : `ERR ${line}`);
}
