import { ErrorReply, OK, type Bytes, type Reply } from '../keyspace.js';
import { SYNTAX, errorShowing } from './command.js';
import type { Engine } from './engine.js';
import { parseInteger } from './numbers.js';
import { addressOf, CLIENT_TYPES, clientType, type NativeSession } from './session.js';

const NO_SUCH_CLIENT = new ErrorReply('ERR No such client');

interface Filter {
  id?: number;
  type?: string;
  address?: Bytes;
  localAddress?: Bytes;
  skipMe: boolean;
}

/** What CLIENT KILL's options select, or the error they deserve. */
function readFilter(args: readonly Bytes[]): Filter | ErrorReply {
  const filter: Filter = { skipMe: true };
  for (let i = 2; i < args.length; i += 2) {
    const value = args[i + 1];
    if (value === undefined) return SYNTAX;
    switch (args[i]!.toLowerCase()) {
      case 'id': {
        const id = parseInteger(value);
        if (id === undefined || id < 1) return new ErrorReply('ERR client-id should be greater than 0');
        filter.id = id;
        break;
      }
      case 'type':
        if (!CLIENT_TYPES.has(value.toLowerCase()))
          return errorShowing("ERR Unknown client type '", value, "'");
        filter.type = value.toLowerCase();
        break;
      case 'addr':
        filter.address = value;
        break;
      case 'laddr':
        filter.localAddress = value;
        break;
      case 'user':
        if (value !== 'default') return errorShowing("ERR No such user '", value, "'");
        break;
      case 'skipme':
        if (!/^(yes|no)$/i.test(value)) return SYNTAX;
        filter.skipMe = value.toLowerCase() === 'yes';
        break;
      default:
        return SYNTAX;
    }
  }
  return filter;
}

function suits(session: NativeSession, filter: Filter, caller: NativeSession): boolean {
  return (
    (filter.id === undefined || filter.id === session.id) &&
    (filter.type === undefined || filter.type === clientType(session)) &&
    (filter.address === undefined || filter.address === addressOf(session)) &&
    filter.localAddress === undefined &&
    !(filter.skipMe && session === caller)
  );
}

/** CLIENT KILL address, or CLIENT KILL option value ...: those connections end. */
export function clientKill(engine: Engine, args: readonly Bytes[], caller: NativeSession): Reply {
  const sessions = [...engine.sessions.values()];
  if (args.length === 3) {
    const session = sessions.find((each) => addressOf(each) === args[2]);
    if (session === undefined) return NO_SUCH_CLIENT;
    engine.host.hangUp(session);
    return OK;
  }
  const filter = readFilter(args);
  if (filter instanceof ErrorReply) return filter;
  const killed = sessions.filter((session) => suits(session, filter, caller));
  for (const session of killed) engine.host.hangUp(session);
  return killed.length;
}
