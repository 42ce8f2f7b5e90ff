import { ErrorReply, type Bytes, type Reply, type ServerMode } from '../keyspace.js';
import type { Engine } from './engine.js';
import { factsOf, type KeyPlaces } from './facts.js';
import type { NativeSession } from './session.js';

export { LOADING_OK, NO_SCRIPT, WRITE } from './facts.js';

export type Handler = (engine: Engine, args: readonly Bytes[], session: NativeSession) => Reply;

/** The keys among arguments, where they don't stand at fixed places; undefined: the arguments are wrong. */
export type KeyFinder = (args: readonly Bytes[]) => readonly Bytes[] | undefined;

export type Version = readonly [number, number];

/** From which version on a flavour of the server has a command; null: never. */
interface Availability {
  readonly redis: Version | null;
  readonly valkey: Version | null;
}

export interface Command {
  /** Lower case, as error replies show it; `client|setname` for a subcommand. */
  readonly name: string;
  /** Number of arguments with the name; negative: at least that many. */
  readonly arity: number;
  readonly flags: number;
  readonly keys: KeyPlaces | null;
  readonly findKeys: KeyFinder | null;
  readonly run: Handler;
  /** Set on containers such as CLIENT: commands by lower-case subcommand. */
  readonly subcommands: ReadonlyMap<string, Command> | null;
  /** Null: all versions that are simulated have it. */
  readonly since: Availability | null;
}

/** A command of {@link factsOf}'s table; `findKeys` where its keys have no fixed places. */
export function command(name: string, run: Handler, findKeys: KeyFinder | null = null): Command {
  const { arity, flags, keys } = factsOf(name);
  return { name, arity, flags, keys, findKeys, run, subcommands: null, since: null };
}

/** A command that versions before these don't know. */
export function since(redis: Version | null, valkey: Version | null, given: Command): Command {
  return { ...given, since: { redis, valkey } };
}

function reaches(version: Version, first: Version | null): boolean {
  return first !== null && (version[0] > first[0] || (version[0] === first[0] && version[1] >= first[1]));
}

/** True from these versions on; null: never. */
export function isSince(mode: ServerMode, redis: Version | null, valkey: Version | null): boolean {
  return reaches(mode.version, mode.flavour === 'redis' ? redis : valkey);
}

export function existsIn(mode: ServerMode, { since: first }: Command): boolean {
  return first === null || isSince(mode, first.redis, first.valkey);
}

/** A command that leads to subcommands, given with their own arities (which count both words); `run`: without one. */
export function container(name: string, subcommands: readonly Command[], run?: Handler): Command {
  const byName = new Map(subcommands.map((sub) => [sub.name.slice(name.length + 1), sub]));
  return { ...command(name, run ?? (() => wrongArity(name))), subcommands: byName };
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
export const NOT_POSITIVE = new ErrorReply('ERR value is out of range, must be positive');
export const WRONG_TYPE = new ErrorReply('WRONGTYPE Operation against a key holding the wrong kind of value');
export const NO_SUCH_KEY = new ErrorReply('ERR no such key');
export const OUT_OF_RANGE = new ErrorReply('ERR index out of range');

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

/** What an error text shows of an argument: C's string ends at a zero byte. */
function shownOf(arg: Bytes, length: number): Bytes {
  const end = arg.indexOf('\0');
  return arg.slice(0, end < 0 ? length : Math.min(end, length));
}

/** An error that shows an argument. */
export function errorShowing(before: string, arg: Bytes, after = ''): ErrorReply {
  return new ErrorReply(oneLine(`${before}${shownOf(arg, arg.length)}${after}`.replace(/[\r\n]+$/, '')));
}

/** The words of Redis 7.0 for a command it does not know. */
export function unknownCommand(args: readonly Bytes[]): ErrorReply {
  let shown = '';
  for (let i = 1; i < args.length && shown.length < 128; i++) {
    shown += `'${shownOf(args[i] ?? '', 128 - shown.length)}' `;
  }
  const name = shownOf(args[0] ?? '', 128);
  return new ErrorReply(oneLine(`ERR unknown command '${name}', with args beginning with: ${shown}`));
}

export function unknownSubcommand(name: string, sub: Bytes): ErrorReply {
  return new ErrorReply(
    oneLine(`ERR unknown subcommand '${shownOf(sub, 128)}'. Try ${name.toUpperCase()} HELP.`),
  );
}

/** A subcommand that exists, with arguments that it does not take. */
export function wrongUseOf(name: string, sub: Bytes): ErrorReply {
  return new ErrorReply(
    oneLine(
      `ERR unknown subcommand or wrong number of arguments for '${shownOf(sub, 128)}'. Try ${name} HELP.`,
    ),
  );
}
