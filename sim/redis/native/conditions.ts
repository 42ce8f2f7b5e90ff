/** SET's and DELEX's comparisons with what a key holds: Redis 8.4's, and Valkey's IFEQ (8.1) and DELIFEQ (9.0). */
import { ErrorReply, type Bytes, type Reply, type ServerMode } from '../keyspace.js';
import { command, isSince, since, WRONG_TYPE, wrongArity, type Command } from './command.js';
import type { Engine } from './engine.js';
import type { Entry } from './entry.js';
import { xxh3Hex } from './xxh3.js';

export interface Condition {
  /** `ifeq`, `ifne`, `ifdeq` or `ifdne`. */
  readonly word: string;
  readonly operand: Bytes;
}

const WORDS = new Set(['ifeq', 'ifne', 'ifdeq', 'ifdne']);
const STRING_NEEDED = new ErrorReply('ERR Key should be of string type if conditions are specified');
const BAD_CONDITION = new ErrorReply('ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE');
const BAD_DIGEST = new ErrorReply('ERR must be exactly 16 hexadecimal characters');

/** True where this server's SET knows this word. */
export function isCondition(mode: ServerMode, word: string): boolean {
  if (!WORDS.has(word)) return false;
  return isSince(mode, [8, 4], word === 'ifeq' ? [8, 1] : null);
}

/** Of a digest only the length is checked. */
export function checkCondition({ word, operand }: Condition): ErrorReply | undefined {
  return isDigest(word) && operand.length !== 16 ? BAD_DIGEST : undefined;
}

function isDigest(word: string): boolean {
  return word === 'ifdeq' || word === 'ifdne';
}

/** Whether it holds of a string; of no key only the negative ones do. */
export function holds({ word, operand }: Condition, value: Bytes | undefined): boolean {
  const negative = word.endsWith('ne');
  if (value === undefined) return negative;
  const equal = isDigest(word) ? xxh3Hex(value) === operand.toLowerCase() : value === operand;
  return equal !== negative;
}

/** The condition's verdict of what a key holds, or its error: only strings compare. */
export function verdictOf(condition: Condition, entry: Entry | undefined): boolean | ErrorReply {
  if (entry !== undefined && entry.kind !== 'string') return WRONG_TYPE;
  return holds(condition, entry?.value);
}

/** DELEX key [IFEQ value | IFNE value | IFDEQ digest | IFDNE digest]: without a condition as DEL. */
function delex(engine: Engine, args: readonly Bytes[]): Reply {
  const key = args[1]!;
  if (args.length === 2) return engine.store.delete(key) ? 1 : 0;
  if (args.length !== 4) return wrongArity('delex');
  const entry = engine.store.find(key);
  if (entry === undefined) return 0;
  if (entry.kind !== 'string') return STRING_NEEDED;
  const condition = { word: args[2]!.toLowerCase(), operand: args[3]! };
  if (!WORDS.has(condition.word)) return BAD_CONDITION;
  const error = checkCondition(condition);
  if (error !== undefined) return error;
  if (!holds(condition, entry.value)) return 0;
  engine.store.remove(key);
  return 1;
}

function delIfEqual(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = engine.store.find(args[1]!);
  if (entry === undefined) return 0;
  if (entry.kind !== 'string') return WRONG_TYPE;
  if (entry.value !== args[2]) return 0;
  engine.store.remove(args[1]!);
  return 1;
}

/** DIGEST key: what IFDEQ compares. */
function digest(engine: Engine, args: readonly Bytes[]): Reply {
  const entry = engine.store.find(args[1]!);
  if (entry === undefined) return null;
  return entry.kind === 'string' ? xxh3Hex(entry.value) : WRONG_TYPE;
}

export const CONDITIONS: readonly Command[] = [
  since([8, 4], null, command('delex', delex)),
  since([8, 4], null, command('digest', digest)),
  since(null, [9, 0], command('delifeq', delIfEqual)),
];
