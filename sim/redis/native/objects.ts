/** OBJECT and MEMORY: what the server knows of how a key is kept, without using it. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { isCompact } from './compact.js';
import { command, container, NOT_INTEGER, SYNTAX, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { Entry } from './entry.js';
import { bytesOf, PER_KEY } from './ledger.js';
import { nameOf } from './names.js';
import { parseInt64, parseInteger } from './numbers.js';

const NO_FREQUENCY = new ErrorReply(
  'ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.',
);
const NO_IDLE_TIME = new ErrorReply(
  'ERR An LFU maxmemory policy is selected, idle time not tracked. Please note that when switching between policies at runtime LRU and LFU data will take some time to adjust.',
);
/** Longest string that Redis keeps with its object. */
const EMBEDDED = 44;
const INTEGER_SET_ITEMS = 512;

/** The encoding that Redis 7.0 gives such a value when it is new. */
function encodingOf(entry: Entry): Bytes {
  switch (entry.kind) {
    case 'string':
      if (entry.value.length <= 20 && parseInt64(entry.value) !== undefined) return 'int';
      return entry.value.length <= EMBEDDED ? 'embstr' : 'raw';
    case 'hash':
      return isCompact([...entry.value].flat(), entry.value.size) ? 'listpack' : 'hashtable';
    case 'list':
      return 'quicklist';
    case 'set': {
      const integers = [...entry.value].every((member) => parseInt64(member) !== undefined);
      return integers && entry.value.size <= INTEGER_SET_ITEMS ? 'intset' : 'hashtable';
    }
    case 'zset':
      return isCompact(entry.value.scores.keys(), entry.value.scores.size) ? 'listpack' : 'skiplist';
    case 'stream':
      return 'stream';
  }
}

function usesLfu({ mode }: Engine): boolean {
  return mode.maxMemoryPolicy.endsWith('-lfu');
}

function of(read: (engine: Engine, key: Bytes, entry: Entry) => Reply) {
  return (engine: Engine, args: readonly Bytes[]): Reply => {
    const entry = engine.store.peek(args[2]!);
    return entry === undefined ? null : read(engine, args[2]!, entry);
  };
}

function idleTime(engine: Engine, key: Bytes): Reply {
  if (usesLfu(engine)) return NO_IDLE_TIME;
  const { ledger, db } = engine.store;
  return ledger === null ? 0 : Math.floor(ledger.idleMs(nameOf(db, key)) / 1000);
}

function frequency(engine: Engine, key: Bytes): Reply {
  if (!usesLfu(engine)) return NO_FREQUENCY;
  const { ledger, db } = engine.store;
  return ledger === null ? 0 : ledger.frequency(nameOf(db, key));
}

/** MEMORY USAGE key [SAMPLES count]: by the engine's own reckoning. */
function usage(engine: Engine, args: readonly Bytes[]): Reply {
  for (let i = 3; i < args.length; i += 2) {
    if (args[i]!.toLowerCase() !== 'samples' || args[i + 1] === undefined) return SYNTAX;
    const samples = parseInteger(args[i + 1]!);
    if (samples === undefined) return NOT_INTEGER;
    if (samples < 0) return SYNTAX;
  }
  const entry = engine.store.peek(args[2]!);
  return entry === undefined ? null : PER_KEY + args[2]!.length + bytesOf(entry);
}

export const OBJECTS: readonly Command[] = [
  container('object', [
    command(
      'object|encoding',
      of((_engine, _key, entry) => encodingOf(entry)),
    ),
    command(
      'object|refcount',
      of(() => 1),
    ),
    command('object|idletime', of(idleTime)),
    command('object|freq', of(frequency)),
  ]),
  container('memory', [command('memory|usage', usage)]),
];
