/** COMMAND: what the server says of its own commands. */
import { ErrorReply, MapReply, StatusReply, type Bytes, type Reply } from '../keyspace.js';
import { arityFits, command, container, existsIn, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import { flagWords } from './facts.js';
import { matchesGlob } from './glob.js';
import { keysOf } from './key-places.js';

function available(engine: Engine): Command[] {
  return engine.commands.all.filter((each) => existsIn(engine.mode, each));
}

function lookUp(engine: Engine, name: Bytes): Command | undefined {
  const [base = '', sub] = name.split('|');
  const found = engine.commands.find(base);
  const inner = sub === undefined ? found : found?.subcommands?.get(sub.toLowerCase());
  return inner !== undefined && existsIn(engine.mode, inner) ? inner : undefined;
}

/** Name, arity, flags, first key, last key, step; categories, tips and key specifications are left empty. */
function describe(engine: Engine, given: Command): Reply {
  const { name, arity, flags, keys, subcommands } = given;
  const words = flagWords(flags);
  const inner = [...(subcommands?.values() ?? [])].filter((sub) => existsIn(engine.mode, sub));
  return [
    name,
    arity,
    words.map((word) => new StatusReply(word)),
    keys?.first ?? 0,
    keys?.last ?? 0,
    keys?.step ?? 0,
    [],
    [],
    [],
    inner.map((sub) => describe(engine, sub)),
  ];
}

function all(engine: Engine): Reply {
  return available(engine).map((each) => describe(engine, each));
}

function info(engine: Engine, args: readonly Bytes[]): Reply {
  if (args.length === 2) return all(engine);
  return args.slice(2).map((name) => {
    const found = lookUp(engine, name);
    return found === undefined ? null : describe(engine, found);
  });
}

function docs(engine: Engine, args: readonly Bytes[]): Reply {
  const found =
    args.length === 2 ? available(engine) : args.slice(2).flatMap((name) => lookUp(engine, name) ?? []);
  return new MapReply(
    found.flatMap(({ name, arity }) => [name, new MapReply(['arity', arity])] satisfies Reply[]),
  );
}

/** COMMAND LIST [FILTERBY PATTERN pattern | ACLCAT category | MODULE name] */
function list(engine: Engine, args: readonly Bytes[]): Reply {
  const names = available(engine).flatMap((each) => [
    each.name,
    ...[...(each.subcommands?.values() ?? [])].map((sub) => sub.name),
  ]);
  if (args.length === 2) return names.filter((name) => !name.includes('|'));
  if (args.length !== 5 || args[2]!.toLowerCase() !== 'filterby') return SYNTAX;
  switch (args[3]!.toLowerCase()) {
    case 'pattern':
      return names.filter((name) => matchesGlob(args[4]!.toLowerCase(), name));
    case 'module':
    case 'aclcat':
      return [];
    default:
      return SYNTAX;
  }
}

function getKeys(engine: Engine, args: readonly Bytes[]): Reply {
  const inner = args.slice(2);
  const base = engine.commands.find(inner[0]!);
  const found =
    base === undefined ? undefined : (base.subcommands?.get((inner[1] ?? '').toLowerCase()) ?? base);
  if (found === undefined || !existsIn(engine.mode, found))
    return new ErrorReply('ERR Invalid command specified');
  if (found.keys === null && found.findKeys === null) {
    return new ErrorReply('ERR The command has no key arguments');
  }
  if (!arityFits(found.arity, inner.length)) {
    return new ErrorReply('ERR Invalid number of arguments specified for command');
  }
  const keys = keysOf(found, inner);
  if (keys !== undefined) return keys;
  return found.name.startsWith('eval') ? [] : new ErrorReply('ERR Invalid arguments specified for command');
}

export const COMMAND_INFO: readonly Command[] = [
  container(
    'command',
    [
      command('command|count', (engine) => available(engine).length),
      command('command|info', info),
      command('command|docs', docs),
      command('command|list', list),
      command('command|getkeys', getKeys),
    ],
    all,
  ),
];
