/** What the emitters know of Lua's syntax and names, apart from any script. */
import type {
  CallExpression,
  Expression,
  IndexExpression,
  LogicalExpression,
  MemberExpression,
  StringCallExpression,
  TableCallExpression,
} from 'luaparse';

/** JavaScript for an expression, and what is known of its value. */
export interface Code {
  readonly js: string;
  readonly type: 'boolean' | 'number' | 'string' | 'any';
}

export type Call = CallExpression | TableCallExpression | StringCallExpression;

export const ARITHMETIC: Readonly<Record<string, readonly [helper: string, operator: string | null]>> = {
  '+': ['add', '+'],
  '-': ['subtract', '-'],
  '*': ['multiply', '*'],
  '/': ['divide', '/'],
  '%': ['modulo', null],
  '^': ['power', null],
};

export const GLOBAL_TABLES = new Set([
  'redis',
  'string',
  'table',
  'math',
  'cjson',
  'cmsgpack',
  'struct',
  'bit',
]);
export const CONSTANTS: Readonly<Record<string, number>> = {
  'redis.LOG_DEBUG': 0,
  'redis.LOG_VERBOSE': 1,
  'redis.LOG_NOTICE': 2,
  'redis.LOG_WARNING': 3,
  'redis.REPL_NONE': 0,
  'redis.REPL_AOF': 1,
  'redis.REPL_REPLICA': 2,
  'redis.REPL_SLAVE': 2,
  'redis.REPL_ALL': 3,
  'math.huge': Infinity,
  'math.pi': Math.PI,
};

export const any = (js: string): Code => ({ js, type: 'any' });
export const bool = (js: string): Code => ({ js, type: 'boolean' });
export const number = (js: string): Code => ({ js, type: 'number' });
export const text = (value: string): string => JSON.stringify(value);

export function isCall(node: Expression): node is Call {
  return (
    node.type === 'CallExpression' ||
    node.type === 'TableCallExpression' ||
    node.type === 'StringCallExpression'
  );
}

/** The name of the field, where it stands in the script. */
export function fieldOf(node: MemberExpression | IndexExpression): string | undefined {
  if (node.type === 'MemberExpression') return node.identifier.name;
  return node.index.type === 'StringLiteral' ? node.index.value : undefined;
}

export function foldsAway({ left, operator }: LogicalExpression): boolean {
  const truthy = left.type === 'NumericLiteral' || left.type === 'StringLiteral';
  const constant = truthy || left.type === 'BooleanLiteral' || left.type === 'NilLiteral';
  const isTrue = truthy || (left.type === 'BooleanLiteral' && left.value);
  return constant && isTrue === (operator === 'and');
}

export function endLine(node: Expression): number {
  return node.loc?.end.line ?? 1;
}

/** Fields that every string has. */
export const STRING_FIELDS = new Set(
  [
    'byte',
    'char',
    'dump',
    'find',
    'format',
    'gfind',
    'gmatch',
    'gsub',
    'len',
    'lower',
    'match',
    'rep',
    'reverse',
  ].concat(['sub', 'upper']),
);
