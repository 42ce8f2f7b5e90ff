import { field, key, maybe, of, options, pairs, some, timeout, value, word } from './arguments.js';

const START = '1700000000000';
const id = word(
  '*',
  '1-1',
  '1-2',
  '2-0',
  '2-*',
  '1-*',
  `${START}-0`,
  `${START}-5`,
  '0-0',
  '5',
  'x',
  '',
  '1-x',
  '18446744073709551615-18446744073709551615',
  '18446744073709551616-0',
);
const bound = word('-', '+', '0', '1', '1-1', '(1-1', '2', `${START}`, `(${START}-0`, 'x', '(', '(-', '$');
const trim = options(
  [
    maybe(
      ['MAXLEN', '1'],
      ['MAXLEN', '=', '2'],
      ['MAXLEN', '~', '1'],
      ['MINID', '2'],
      ['MINID', '=', '1-2'],
      ['MAXLEN', '-1'],
      ['MAXLEN', 'x'],
      ['MAXLEN', '~', '1', 'LIMIT', '1'],
      ['MAXLEN', '1', 'LIMIT', '1'],
      'NOMKSTREAM',
    ),
  ],
  2,
);
const after = word('0', '$', '1-1', '2', 'x', '0-0', '>');
const count = maybe(['COUNT', '1'], ['count', '2'], ['COUNT', '0'], ['COUNT', '-1'], ['COUNT', 'x']);

export const STREAMS = [
  of('xadd', key, id, pairs(field, value)),
  of('xadd', key, id, pairs(field, value)),
  of('xadd', key, trim, id, some(field)),
  of('xlen', key),
  of('xrange', key, bound, bound, count),
  of('xrange', key, word('-'), word('+')),
  of('xrevrange', key, bound, bound, count),
  of('xdel', key, some(word('1-1', '1-2', `${START}-0`, '5', 'x'))),
  of('xtrim', key, trim),
  of('xread', count, word('STREAMS'), key, after),
  of('xread', count, of('BLOCK', word('0', '10', '100', '-1', 'x')), word('STREAMS'), key, after),
  of('xread', word('STREAMS', 'bad'), some(key, 2), some(after, 2)),
  of('type', key),
  of('blpop', key, timeout),
];
