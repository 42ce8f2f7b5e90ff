import { ErrorReply, NO_REPLY, OK, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import type { Ending } from './disk.js';
import type { RedisServer } from '../server.js';
import { Shutdown } from '../shutdown.js';

const SAVING = new StatusReply('Background saving started');
const REWRITING = new StatusReply('Background append only file rewriting started');
const SYNTAX = new ErrorReply('ERR syntax error');

/** SAVE, BGSAVE, BGREWRITEAOF, LASTSAVE and SHUTDOWN; undefined: not a command of the disk's. */
export function diskCommand(server: RedisServer, args: readonly Bytes[]): Reply | undefined {
  const { disk } = server;
  switch (args[0]!.toLowerCase()) {
    case 'save':
      disk.save();
      return OK;
    case 'bgsave':
      if (args.length > 2 || (args.length === 2 && args[1]!.toLowerCase() !== 'schedule')) return SYNTAX;
      disk.save();
      return SAVING;
    case 'bgrewriteaof':
      return REWRITING;
    case 'lastsave':
      return disk.lastSaveS;
    case 'shutdown':
      return shutdown(server, args);
    default:
      return undefined;
  }
}

/** SHUTDOWN [NOSAVE | SAVE] [NOW] [FORCE]: the server ends, and nobody hears an answer. */
function shutdown(server: RedisServer, args: readonly Bytes[]): Reply {
  const words = args.slice(1).map((word) => word.toLowerCase());
  if (words.some((word) => !['save', 'nosave', 'now', 'force', 'abort'].includes(word))) return SYNTAX;
  if (words.includes('save') && words.includes('nosave')) return SYNTAX;
  if (words.includes('abort')) return new ErrorReply('ERR No shutdown in progress.');
  if (words.includes('save')) server.disk.save();
  // As soon as the command is over.
  const { life } = server;
  server.kernel.at(
    server.nowUs,
    null,
    (stopping: RedisServer, how: Ending) => {
      if (stopping.life !== life) return;
      if (words.includes('now')) {
        stopping.crash(how);
        stopping.replication.network.sever(stopping.name);
      } else new Shutdown(stopping, how, () => undefined).begin();
    },
    server,
    words.includes('nosave') ? 'crash' : 'shutdown',
  );
  return NO_REPLY;
}
