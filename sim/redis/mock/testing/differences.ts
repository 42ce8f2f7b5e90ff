/**
 * Where ioredis-mock 8.13.1 answers otherwise than Redis, as far as locks may meet it. Each is a short conversation with a
 * fresh server; the last answer differs. The page docs/engines.md is generated from what both engines really answer.
 */

/** A command; on another connection than the first; or milliseconds that pass. */
export type Step = readonly string[] | { readonly on: number; readonly args: readonly string[] } | number;

export interface Difference {
  readonly about: string;
  readonly steps: readonly Step[];
}

const script = (text: string, ...keysAndArgs: readonly string[]): readonly string[] => [
  'EVAL',
  text,
  ...(keysAndArgs.length > 0 ? keysAndArgs : ['0']),
];

export const DIFFERENCES: readonly Difference[] = [
  {
    about: 'A key is gone in the very millisecond of its deadline; in Redis after it.',
    steps: [['SET', 'k', 'v', 'PX', '10'], 10, ['GET', 'k']],
  },
  {
    about: 'Options are heard in upper case only: a lock that writes `nx` and `px` excludes nobody.',
    steps: [
      ['set', 'k', 'one', 'nx', 'px', '1000'],
      ['set', 'k', 'two', 'nx', 'px', '1000'],
    ],
  },
  {
    about: 'Such a key has no deadline either.',
    steps: [
      ['SET', 'k', 'v', 'px', '1000'],
      ['PTTL', 'k'],
    ],
  },
  { about: 'A TTL of zero is taken, and the key is gone at once.', steps: [['SET', 'k', 'v', 'PX', '0']] },
  {
    about: 'A TTL that is no number is taken; the key never expires.',
    steps: [['SET', 'k', 'v', 'PX', 'soon']],
  },
  {
    about: 'KEEPTTL takes the TTL away.',
    steps: [
      ['SET', 'k', 'v', 'PX', '1000'],
      ['SET', 'k', 'w', 'KEEPTTL'],
      ['PTTL', 'k'],
    ],
  },
  {
    about: 'Conditions of EXPIRE are not heard.',
    steps: [
      ['SET', 'k', 'v', 'PX', '1000'],
      ['PEXPIRE', 'k', '10', 'GT'],
      ['PTTL', 'k'],
    ],
  },
  {
    about:
      'A script is known to the client that ran it, not to the server: every client is told NOSCRIPT once.',
    steps: [
      script('return 1'),
      { on: 2, args: ['EVALSHA', 'e0e1f9fabfc9d4800c877a703b823ac0578ff8db', '0'] },
    ],
  },
  { about: 'SCRIPT is missing.', steps: [['SCRIPT', 'LOAD', 'return 1']] },
  {
    about: 'What is a status in Redis is a text from a script.',
    steps: [script("return redis.call('set', KEYS[1], 'v')", '1', 'k')],
  },
  {
    about: 'An error or a status that a script makes itself is lost.',
    steps: [script("return {err = 'TAKEN by another'}")],
  },
  { about: 'The helpers for both are missing.', steps: [script("return redis.status_reply('FINE')")] },
  {
    about: 'An error of a command in a script loses its text.',
    steps: [['SADD', 's', 'x'], script("return redis.call('lpush', KEYS[1], 'x')", '1', 's')],
  },
  {
    about: 'Numbers in Lua are floating: as a text, 1 is `1.0`.',
    steps: [script("return 'token-' .. redis.call('incr', KEYS[1])", '1', 'n')],
  },
  { about: 'A fraction is not cut off.', steps: [script('return 3.7')] },
  {
    about: 'An empty text looks like a missing key to a script.',
    steps: [
      ['SET', 'k', ''],
      script("if redis.call('get', KEYS[1]) then return 'there' end return 'missing'", '1', 'k'),
    ],
  },
  {
    about: 'There is no sandbox for scripts.',
    steps: [script('x = 1 return type(io)')],
  },
  { about: 'Libraries for scripts are missing.', steps: [script('return cjson.encode({1})')] },
  {
    about:
      'After a successful EXEC the connection counts as disturbed by its own writes: the next transaction fails.',
    steps: [
      ['WATCH', 'k'],
      ['MULTI'],
      ['SET', 'k', 'v'],
      ['EXEC'],
      ['WATCH', 'k'],
      ['MULTI'],
      ['SET', 'k', 'w'],
      ['EXEC'],
    ],
  },
  {
    about: 'An error of one command takes the place of all replies of EXEC.',
    steps: [['SADD', 's', 'x'], ['MULTI'], ['SET', 'k', 'v'], ['LPUSH', 's', 'x'], ['EXEC']],
  },
  { about: 'MULTI within MULTI begins anew.', steps: [['MULTI'], ['SET', 'k', 'v'], ['MULTI']] },
  {
    about: 'An unknown command in a transaction is forgotten.',
    steps: [['MULTI'], ['SET', 'k', 'v'], ['NONSENSE'], ['EXEC']],
  },
  { about: 'EVAL cannot be queued, only EVALSHA.', steps: [['MULTI'], script('return 1')] },
  { about: 'The number of arguments is not checked.', steps: [['SET', 'k']] },
  {
    about: 'Types are not checked everywhere.',
    steps: [
      ['SADD', 's', 'x'],
      ['GET', 's'],
    ],
  },
  {
    about: 'What is no number is counted on from nothing.',
    steps: [
      ['SET', 'k', 'v'],
      ['INCR', 'k'],
    ],
  },
  {
    about: 'A sorted set stays when its last member has gone.',
    steps: [
      ['ZADD', 'z', '1', 'holder'],
      ['ZREM', 'z', 'holder'],
      ['EXISTS', 'z'],
    ],
  },
  { about: 'Commands that wait for keys are missing.', steps: [['BLPOP', 'l', '0']] },
  { about: 'WAIT is missing.', steps: [['WAIT', '1', '10']] },
  {
    about: 'So are CLIENT, SELECT, HELLO and most of what a connection says of itself.',
    steps: [['CLIENT', 'GETNAME']],
  },
];
