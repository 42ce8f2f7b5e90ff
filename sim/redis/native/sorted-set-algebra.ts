/** Unions, intersections and differences of sorted sets and of sets, whose members count with score 1. */
import { ErrorReply, type Bytes, type Reply } from '../keyspace.js';
import { command, NOT_INTEGER, SYNTAX, WRONG_TYPE, type Command } from './command.js';
import type { Engine } from './engine.js';
import { countedKeys } from './key-places.js';
import { parseDouble, parseInteger } from './numbers.js';
import { memberReplies } from './score-replies.js';
import type { NativeSession } from './session.js';
import { storeScores } from './sorted-set-ranges.js';
import { inOrder } from './sorted-sets.js';

type Scores = ReadonlyMap<Bytes, number>;
type Operation = 'union' | 'inter' | 'diff';
type Aggregate = (a: number, b: number) => number;

const AGGREGATES: ReadonlyMap<string, Aggregate> = new Map<string, Aggregate>([
  // Infinities of both signs make nothing.
  ['sum', (a, b) => (Number.isNaN(a + b) ? 0 : a + b)],
  ['min', (a, b) => (b < a ? b : a)],
  ['max', (a, b) => (b > a ? b : a)],
]);
const SUM = AGGREGATES.get('sum')!;

interface Task {
  readonly inputs: readonly Scores[];
  readonly weights: number[];
  aggregate: Aggregate;
  withScores: boolean;
}

function inputOf(engine: Engine, key: Bytes): Scores | ErrorReply {
  const entry = engine.store.find(key);
  if (entry === undefined) return new Map();
  if (entry.kind === 'zset') return entry.value.scores;
  if (entry.kind === 'set') return new Map([...entry.value].map((member) => [member, 1]));
  return WRONG_TYPE;
}

function inputsOf(engine: Engine, args: readonly Bytes[], at: number, name: string): Scores[] | ErrorReply {
  const count = parseInteger(args[at]!);
  if (count === undefined) return NOT_INTEGER;
  if (count < 1) return new ErrorReply(`ERR at least 1 input key is needed for '${name}' command`);
  if (count > args.length - at - 1) return SYNTAX;
  const inputs: Scores[] = [];
  for (const key of args.slice(at + 1, at + 1 + count)) {
    const input = inputOf(engine, key);
    if (input instanceof ErrorReply) return input;
    inputs.push(input);
  }
  return inputs;
}

/** From `at` on: numkeys key ... [WEIGHTS weight ...] [AGGREGATE SUM | MIN | MAX] [WITHSCORES] */
function readTask(
  engine: Engine,
  args: readonly Bytes[],
  at: number,
  name: string,
  operation: Operation,
): Task | ErrorReply {
  const inputs = inputsOf(engine, args, at, name);
  if (inputs instanceof ErrorReply) return inputs;
  const task: Task = { inputs, weights: inputs.map(() => 1), aggregate: SUM, withScores: false };
  const combines = operation !== 'diff';
  for (let i = at + 1 + inputs.length; i < args.length; i++) {
    const option = args[i]!.toLowerCase();
    if (combines && option === 'weights' && i + inputs.length < args.length) {
      for (let each = 0; each < inputs.length; each++) {
        const weight = parseDouble(args[++i]!);
        if (weight === undefined) return new ErrorReply('ERR weight value is not a float');
        task.weights[each] = weight;
      }
    } else if (combines && option === 'aggregate' && i + 1 < args.length) {
      const aggregate = AGGREGATES.get(args[++i]!.toLowerCase());
      if (aggregate === undefined) return SYNTAX;
      task.aggregate = aggregate;
    } else if (option === 'withscores' && at === 1) task.withScores = true;
    else return SYNTAX;
  }
  return task;
}

function weighted(score: number, weight: number): number {
  const value = score * weight;
  return Number.isNaN(value) ? 0 : value;
}

function combine({ inputs, weights, aggregate }: Task, operation: Operation): Map<Bytes, number> {
  const [first, ...others] = inputs as [Scores, ...Scores[]];
  if (operation === 'diff') {
    return new Map([...first].filter(([member]) => !others.some((other) => other.has(member))));
  }
  const result = new Map<Bytes, number>();
  for (const [i, input] of inputs.entries()) {
    for (const [member, score] of input) {
      if (operation === 'inter' && !inputs.every((each) => each.has(member))) continue;
      const value = weighted(score, weights[i]!);
      const before = result.get(member);
      result.set(member, before === undefined ? value : aggregate(before, value));
    }
  }
  return result;
}

function combined(name: string, operation: Operation): Command {
  const run = (engine: Engine, args: readonly Bytes[], session: NativeSession): Reply => {
    const task = readTask(engine, args, 1, name, operation);
    if (task instanceof ErrorReply) return task;
    const scores = combine(task, operation);
    const members = inOrder(scores);
    if (!task.withScores) return members;
    return memberReplies(
      engine,
      session,
      members.map((member) => [member, scores.get(member)!]),
    );
  };
  return command(name, run, countedKeys(1));
}

function stored(name: string, operation: Operation): Command {
  const run = (engine: Engine, args: readonly Bytes[]): Reply => {
    const task = readTask(engine, args, 2, name, operation);
    return task instanceof ErrorReply ? task : storeScores(engine, args[1]!, combine(task, operation));
  };
  return command(name, run, countedKeys(2, 1));
}

/** ZINTERCARD numkeys key ... [LIMIT limit] */
function interCard(engine: Engine, args: readonly Bytes[]): Reply {
  const inputs = inputsOf(engine, args, 1, 'zintercard');
  if (inputs instanceof ErrorReply) return inputs;
  let limit = Infinity;
  for (let i = 2 + inputs.length; i < args.length; i += 2) {
    if (args[i]!.toLowerCase() !== 'limit' || args[i + 1] === undefined) return SYNTAX;
    const given = parseInteger(args[i + 1]!);
    if (given === undefined || given < 0) return new ErrorReply("ERR LIMIT can't be negative");
    limit = given === 0 ? Infinity : given;
  }
  const [first, ...others] = inputs as [Scores, ...Scores[]];
  const common = [...first.keys()].filter((member) => others.every((other) => other.has(member)));
  return Math.min(limit, common.length);
}

export const SORTED_SET_ALGEBRA: readonly Command[] = [
  combined('zunion', 'union'),
  combined('zinter', 'inter'),
  combined('zdiff', 'diff'),
  stored('zunionstore', 'union'),
  stored('zinterstore', 'inter'),
  stored('zdiffstore', 'diff'),
  command('zintercard', interCard, countedKeys(1)),
];
