import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import type { NativeSession } from './session.js';
import type { Engine } from './engine.js';

/** Changes keys: refused on a replica and in read-only scripts. */
export const WRITE = 1;
/** Allowed while the server loads its data. */
export const LOADING_OK = 2;
/** Not allowed from a script. */
export const NO_SCRIPT = 4;
/** Executed at once inside MULTI instead of being queued. */
export const NOT_QUEUED = 8;

export type Handler = (engine: Engine, args: readonly Bytes[], session: NativeSession) => Reply;

export interface Command {
  /** Lower case, as error replies show it; `client|setname` for a subcommand. */
  readonly name: string;
  /** Number of arguments with the name; negative: at least that many. */
  readonly arity: number;
  readonly flags: number;
  readonly run: Handler;
  /** Set on containers such as CLIENT: commands by lower-case subcommand. */
  readonly subcommands: ReadonlyMap<string, Command> | null;
  /** The first version that has it, as [major, minor]; null: all that are simulated. */
  readonly since: readonly [number, number] | null;
}

export function command(name: string, arity: number, flags: number, run: Handler): Command {
  return { name, arity, flags, run, subcommands: null, since: null };
}

/** A command that versions before `version` don't know. */
export function since(version: readonly [number, number], given: Command): Command {
  return { ...given, since: version };
}

export function existsIn(version: readonly [number, number], { since: first }: Command): boolean {
  return first === null || version[0] > first[0] || (version[0] === first[0] && version[1] >= first[1]);
}

/** A command that only leads to subcommands, given with their own arities (which count both words). */
export function container(name: string, subcommands: readonly Command[]): Command {
  const byName = new Map(subcommands.map((sub) => [sub.name.slice(name.length + 1), sub]));
  return { name, arity: -2, flags: 0, run: () => SYNTAX, subcommands: byName, since: null };
}

/** Commands under their lower-case and upper-case names; other spellings cost one conversion. */
export class CommandTable {
  readonly #byName = new Map<string, Command>();
  readonly all: readonly Command[];

  constructor(families: readonly (readonly Command[])[]) {
    this.all = families.flat();
    for (const each of this.all) {
      this.#byName.set(each.name, each);
      this.#byName.set(each.name.toUpperCase(), each);
    }
  }

  find(name: Bytes): Command | undefined {
    return this.#byName.get(name) ?? this.#byName.get(name.toLowerCase());
  }
}

export const SYNTAX = new ErrorReply('ERR syntax error');
export const NOT_INTEGER = new ErrorReply('ERR value is not an integer or out of range');
export const NOT_FLOAT = new ErrorReply('ERR value is not a valid float');
export const WRONG_TYPE = new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value');
export const READ_ONLY = new ErrorReply("READONLY You can't write against a read only replica.");
export const LOADING = new ErrorReply('LOADING Redis is loading the dataset in memory');
export const NO_SUCH_KEY = new ErrorReply('ERR no such key');

export function wrongArity(name: string): ErrorReply {
  return new ErrorReply(`ERR wrong number of arguments for '${name}' command`);
}

/** True when `count` arguments (name included) suit the arity. */
export function arityFits(arity: number, count: number): boolean {
  return arity >= 0 ? count === arity : count >= -arity;
}

/** Error texts are one line each. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}

/** The words of Redis 7.0 for a command it does not know. */
export function unknownCommand(args: readonly Bytes[]): ErrorReply {
  let shown = '';
  for (let i = 1; i < args.length && shown.length < 128; i++) {
    shown += `'${(args[i] ?? '').slice(0, 128 - shown.length)}' `;
  }
  const name = (args[0] ?? '').slice(0, 128);
  return new ErrorReply(oneLine(`ERR unknown command '${name}', with args beginning with: ${shown}`));
}

export function unknownSubcommand(name: string, sub: Bytes): ErrorReply {
  return new ErrorReply(
    oneLine(`ERR unknown subcommand '${sub.slice(0, 128)}'. Try ${name.toUpperCase()} HELP.`),
  );
}
