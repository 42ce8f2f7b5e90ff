import {
  ErrorReply,
  QUEUED,
  type Bytes,
  type KeyspaceHost,
  type Reply,
  type ServerMode,
} from '../keyspace.js';
import { ScriptRandom } from '../lua/random.js';
import type { ScriptHost } from '../lua/runtime.js';
import type { Script } from '../lua/script.js';
import {
  arityFits,
  existsIn,
  LOADING,
  LOADING_OK,
  NO_SCRIPT,
  NOT_QUEUED,
  READ_ONLY,
  unknownCommand,
  unknownSubcommand,
  WRITE,
  wrongArity,
  type Command,
  type CommandTable,
} from './command.js';
import type { ScriptTable } from './scripting.js';
import type { NativeSession } from './session.js';
import { Store } from './store.js';

const UNKNOWN_IN_SCRIPT = new ErrorReply('ERR Unknown Redis command called from script');
const ARITY_IN_SCRIPT = new ErrorReply('ERR Wrong number of args calling Redis command from script');
const NOT_IN_SCRIPT = new ErrorReply('ERR This Redis command is not allowed from script');
const READ_ONLY_SCRIPT = new ErrorReply('ERR Write commands are not allowed from read-only scripts.');

/** One server's commands at work: finds, checks, queues or executes them, for clients and for scripts. */
export class Engine implements ScriptHost {
  readonly store: Store;
  readonly scripts: ScriptTable = new Map();
  readonly random = new ScriptRandom();
  /** Of the script that runs now. */
  #scriptSession!: NativeSession;
  #scriptReadOnly = false;

  constructor(
    readonly commands: CommandTable,
    readonly mode: ServerMode,
    readonly host: KeyspaceHost,
  ) {
    this.store = new Store(mode, host);
  }

  execute(session: NativeSession, args: readonly Bytes[], wallUs: number): Reply {
    this.store.setClock(wallUs);
    const command = this.#resolve(args);
    if (command instanceof ErrorReply) return refuse(session, command);
    const { flags } = command;
    if (this.mode.replica && (flags & WRITE || queuedWrites(command, session))) {
      return this.#refuseWrite(session, command);
    }
    if (this.mode.loading && (flags & LOADING_OK) === 0) return refuse(session, LOADING);
    if (session.queue !== null && (flags & NOT_QUEUED) === 0) {
      session.queue.push({ command, args });
      return QUEUED;
    }
    return command.run(this, args, session);
  }

  /** The command to run for these arguments, or the error they deserve. */
  #resolve(args: readonly Bytes[]): Command | ErrorReply {
    const command = args.length === 0 ? undefined : this.commands.find(args[0]!);
    if (command === undefined || !existsIn(this.mode.version, command)) return unknownCommand(args);
    if (command.subcommands === null)
      return arityFits(command.arity, args.length) ? command : wrongArity(command.name);
    if (args.length < 2) return wrongArity(command.name);
    const sub = command.subcommands.get(args[1]!.toLowerCase());
    if (sub === undefined || !existsIn(this.mode.version, sub))
      return unknownSubcommand(command.name, args[1]!);
    return arityFits(sub.arity, args.length) ? sub : wrongArity(sub.name);
  }

  #refuseWrite(session: NativeSession, command: Command): ErrorReply {
    if (command.name !== 'exec') return refuse(session, READ_ONLY);
    session.queue = null;
    session.queueBroken = false;
    this.store.unwatch(session);
    return new ErrorReply(`EXECABORT Transaction discarded because of: ${READ_ONLY.text}`);
  }

  runScript(
    script: Script,
    args: readonly Bytes[],
    keyCount: number,
    session: NativeSession,
    readOnly: boolean,
  ): Reply {
    this.#scriptSession = session;
    this.#scriptReadOnly = readOnly;
    return script.run(this, args, keyCount);
  }

  callFromScript(args: readonly Bytes[]): Reply {
    const command = this.commands.find(args[0]!);
    if (command === undefined || !existsIn(this.mode.version, command)) return UNKNOWN_IN_SCRIPT;
    if (command.subcommands !== null) return this.#subcommandFromScript(command, args);
    const { flags, arity } = command;
    if (arity >= 0 ? args.length !== arity : args.length < -arity) return ARITY_IN_SCRIPT;
    if ((flags & (NO_SCRIPT | WRITE)) !== 0) {
      if ((flags & NO_SCRIPT) !== 0) return NOT_IN_SCRIPT;
      if (this.#scriptReadOnly) return READ_ONLY_SCRIPT;
      if (this.mode.replica) return READ_ONLY;
    }
    return command.run(this, args, this.#scriptSession);
  }

  #subcommandFromScript(command: Command, args: readonly Bytes[]): Reply {
    const sub = args[1] === undefined ? undefined : command.subcommands?.get(args[1].toLowerCase());
    if (sub === undefined || !existsIn(this.mode.version, sub)) {
      return args.length < 2 ? ARITY_IN_SCRIPT : UNKNOWN_IN_SCRIPT;
    }
    if (!arityFits(sub.arity, args.length)) return ARITY_IN_SCRIPT;
    if ((sub.flags & NO_SCRIPT) !== 0) return NOT_IN_SCRIPT;
    return sub.run(this, args, this.#scriptSession);
  }
}

/** An error while commands are queued breaks the transaction. */
function refuse(session: NativeSession, error: ErrorReply): ErrorReply {
  if (session.queue !== null) session.queueBroken = true;
  return error;
}

function queuedWrites(command: Command, session: NativeSession): boolean {
  if (session.queue === null || command.name !== 'exec') return false;
  return session.queue.some((queued) => (queued.command.flags & WRITE) !== 0);
}
