import fc, { type Arbitrary } from 'fast-check';
import { COMMANDS } from '../../native/commands.js';
import {
  field,
  index,
  integer,
  key,
  lexBound,
  pattern,
  score,
  scoreBound,
  spanMs,
  value,
  type Words,
} from './arguments.js';

/** Not for chance: they stop, stall or reconfigure the server, or take any number for how long to wait. */
const SPARED = new Set([
  ...[
    'shutdown',
    'debug',
    'monitor',
    'sync',
    'psync',
    'replconf',
    'replicaof',
    'slaveof',
    'failover',
    'config',
    'client',
  ],
  ...[
    'scan',
    'sscan',
    'hscan',
    'zscan',
    'cluster',
    'readonly',
    'readwrite',
    'asking',
    'save',
    'bgsave',
    'bgrewriteaof',
    'lastsave',
    'info',
    'command',
    'hello',
    'spop',
    'setrange',
    'setbit',
  ],
  ...[
    'subscribe',
    'psubscribe',
    'ssubscribe',
    'unsubscribe',
    'punsubscribe',
    'sunsubscribe',
    'wait',
    'acl',
    'restore',
  ],
]);

const NAMES = COMMANDS.all.map(({ name }) => name).filter((name) => !SPARED.has(name));
const anything = fc.oneof(
  key,
  key,
  key,
  value,
  integer,
  index,
  field,
  score,
  scoreBound,
  lexBound,
  pattern,
  spanMs,
);

/** Any command with any arguments: wrong in number, kind and type. */
export const BAD_INPUT: Arbitrary<Words>[] = [
  fc
    .tuple(fc.constantFrom(...NAMES), fc.array(anything, { maxLength: 5 }))
    .map(([name, args]) => [name, ...args]),
];
