import { describe, expect, it } from 'vitest';
import { DoubleReply, ErrorReply, MapReply, NIL_ARRAY, OK, SetReply, type Reply } from './keyspace.js';
import { encodeAnswer3, encodePush3, encodeReply3 } from './resp3.js';

describe('RESP3', () => {
  it.each<[Reply, string]>([
    [null, '_\r\n'],
    [NIL_ARRAY, '_\r\n'],
    [7, ':7\r\n'],
    [2n ** 60n, ':1152921504606846976\r\n'],
    ['a\r\nb', '$4\r\na\r\nb\r\n'],
    [OK, '+OK\r\n'],
    [new ErrorReply('ERR no'), '-ERR no\r\n'],
    [new DoubleReply(1.5), ',1.5\r\n'],
    [new DoubleReply(Infinity), ',inf\r\n'],
    [new MapReply(['a', 1, 'b', null]), '%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n_\r\n'],
    [new SetReply(['a']), '~1\r\n$1\r\na\r\n'],
    [[1, ['x']], '*2\r\n:1\r\n*1\r\n$1\r\nx\r\n'],
  ])('%#', (reply, bytes) => {
    expect(encodeReply3(reply)).toBe(bytes);
  });

  it('messages are pushes', () => {
    expect(encodePush3(['message', 'c', 'm'])).toBe('>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n');
  });

  it('texts for people are marked, other strings are not', () => {
    expect(encodeAnswer3('a:1\r\n', ['info', 'x'])).toBe('=9\r\ntxt:a:1\r\n\r\n');
    expect(encodeAnswer3('x', ['CLIENT', 'getname'])).toBe('$1\r\nx\r\n');
    expect(encodeAnswer3('x', ['CLIENT', 'info'])).toBe('=5\r\ntxt:x\r\n');
    expect(encodeAnswer3('x', ['GET', 'k'])).toBe('$1\r\nx\r\n');
  });
});
