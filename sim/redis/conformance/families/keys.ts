import fc from 'fast-check';
import { key, maybe, of, options, pattern, some, word } from './arguments.js';

const scanOptions = options([
  of('match', pattern),
  maybe(
    ['count', '0'],
    ['count', '100'],
    ['COUNT', 'x'],
    ['type', 'string'],
    ['type', 'none'],
    ['bad'],
    ['match'],
  ),
]);

export const KEYS = [
  of('del', some(key)),
  of('unlink', some(key)),
  of('exists', some(key)),
  of('type', key),
  of('touch', some(key)),
  of('keys', pattern),
  of('scan', word('0', '0', 'x', '', '18446744073709551616'), scanOptions),
  of('dbsize'),
  of('randomkey'),
  of('rename', key, key),
  of('renamenx', key, key),
  of(
    'copy',
    key,
    key,
    options([maybe('REPLACE', ['DB', '1'], ['DB', '0'], ['DB', 'x'], ['DB', '99'], 'DB', 'bad')], 2),
  ),
  of('move', key, word('0', '1', '99', 'x', '-1')),
  of('flushall', maybe('async', 'bad', ['sync', 'x'])),
  of('flushdb', maybe('async', 'SYNC', 'bad')),
  of('rpush', key, some(word('3', '1', '2', '10', '-1.5', 'x', ''))),
  of(
    word('sort', 'sort_ro'),
    key,
    options([
      maybe('ASC', 'desc', 'ALPHA', 'bad', 'BY'),
      maybe(['LIMIT', '0', '2'], ['LIMIT', '1', '-1'], ['LIMIT', 'x', '1'], ['BY', 'nosort'], ['STORE', 'c']),
      of('BY', word('w_*', 'a', '*', 'w_*->f')),
      of('GET', word('#', 'w_*', '*', 'a*', '*->f')),
    ]),
  ),
  of('mset', word('w_1', 'w_2', 'w_x'), word('5', '1', 'x')),
  of(
    'object',
    fc.oneof(of('refcount', key), of('encoding', key), of('freq', key), of('idletime', key), word('nosuch')),
  ),
  of('memory', word('usage'), key),
  of('select', word('0', '1', '15', '16', 'x', '-1', '')),
  of('swapdb', word('0', '1', 'x'), word('0', '1', '99')),
];
