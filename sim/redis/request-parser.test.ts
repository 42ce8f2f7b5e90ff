import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError, RequestParser } from './request-parser.js';
import { encodeCommand } from './resp.js';

/** All that a stream holds; what follows a protocol error is not read. */
function read(...pieces: string[]): (readonly string[] | string)[] {
  const parser = new RequestParser();
  const found: (readonly string[] | string)[] = [];
  for (const piece of pieces) {
    parser.push(piece);
    for (let next = parser.next(); next !== null; next = parser.next())
      found.push(next instanceof ProtocolError ? next.text : next);
  }
  return found;
}

const error = (text: string): string => `ERR Protocol error: ${text}`;

describe('commands out of bytes', () => {
  it('any commands, cut anywhere', () => {
    const bytes = fc.string({ unit: 'binary-ascii', maxLength: 12 });
    fc.assert(
      fc.property(
        fc.array(fc.array(bytes, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
        fc.array(fc.nat(200), { maxLength: 6 }),
        (commands, cuts) => {
          const stream = commands.map(encodeCommand).join('');
          const at = [
            0,
            ...cuts.map((cut) => Math.min(cut, stream.length)).sort((a, b) => a - b),
            stream.length,
          ];
          const pieces = at.slice(1).map((end, index) => stream.slice(at[index], end));
          expect(read(...pieces)).toEqual(commands);
        },
      ),
    );
  });

  // What redis-server 7.0.15 does with the same bytes.
  it.each<[string, (readonly string[] | string)[]]>([
    ['*abc\r\n', [error('invalid multibulk length')]],
    ['*01\r\n', [error('invalid multibulk length')]],
    ['*+1\r\n$4\r\nPING\r\n', [error('invalid multibulk length')]],
    ['*2147483648\r\n', [error('invalid multibulk length')]],
    ['*-5\r\nPING\r\n', [['PING']]],
    ['*0\r\nPING\r\n', [['PING']]],
    ['*1\r\nPING\r\n', [error("expected '$', got 'P'")]],
    ['*1\r\n:4\r\n', [error("expected '$', got ':'")]],
    ['*1\r\n\r\n', [error("expected '$', got ' '")]],
    ['*1\r\n$-1\r\n', [error('invalid bulk length')]],
    ['*1\r\n$abc\r\n', [error('invalid bulk length')]],
    ['*1\r\n$+4\r\nPING\r\n', [error('invalid bulk length')]],
    ['*1\r\n$536870913\r\n', [error('invalid bulk length')]],
    ['*1\r\n$4\r\nPINGxx*1\r\n$4\r\nPONG\r\n', [['PING'], ['PONG']]],
    ['x'.repeat(70_000), [error('too big inline request')]],
    [`*${'1'.repeat(70_000)}`, [error('too big mbulk count string')]],
    [`*1\r\n$${'1'.repeat(70_000)}`, [error('too big bulk count string')]],
    ['PING\r\n*1\r\nx\r\nPING\r\n', [['PING'], error("expected '$', got 'x'")]],
  ])('%j', (stream, found) => {
    expect(read(stream)).toEqual(found);
  });

  it.each<[string, (readonly string[] | string)[]]>([
    ['PING\r\n', [['PING']]],
    ['PING\n', [['PING']]],
    ['  \r\nPING\r\n', [['PING']]],
    ['ECHO "a\\x41\\n"\r\n', [['ECHO', 'aA\n']]],
    ["ECHO 'it\\'s'\r\n", [['ECHO', "it's"]]],
    ['ECHO ""\r\n', [['ECHO', '']]],
    ['ECHO "abc\r\n', [error('unbalanced quotes in request')]],
    ['ECHO "a"b\r\n', [error('unbalanced quotes in request')]],
    ['ECHO a"b c"d\r\n', [error('unbalanced quotes in request')]],
  ])('inline: %j', (stream, found) => {
    expect(read(stream)).toEqual(found);
  });

  it('says whether a command is halfway here', () => {
    const parser = new RequestParser();
    expect(parser.midway).toBe(false);
    parser.push('*1\r\n$4\r\nPI');
    expect(parser.next()).toBeNull();
    expect(parser.midway).toBe(true);
    parser.push('NG\r\n');
    expect(parser.next()).toEqual(['PING']);
    expect(parser.midway).toBe(false);
  });
});
