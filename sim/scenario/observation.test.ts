import { describe, expect, it } from 'vitest';
import { parseScenario } from './parse.js';

const expecting = (observe: unknown) => () =>
  parseScenario({ id: 'x', expect: { single: { observe } } } as never, 'mine.json');

describe('observe', () => {
  it('takes numbers, ranges and names of errors', () => {
    const { expect: read } = expecting({ p1: { granted: 1, waitedMs: [10, 20.5] }, p2: { error: null } })();
    expect(read.single!.observe).toEqual({ p1: { granted: 1, waitedMs: [10, 20.5] }, p2: { error: null } });
  });

  it.each([
    [{ p9: {} }, /expect\.single\.observe\.p9: unknown process.*there are p1, p2/],
    [
      { p1: { waited: 1 } },
      /observe\.p1\.waited: unknown figure \(did you mean waitedMs\?\); known: asked, granted/,
    ],
    [{ p1: { granted: '1' } }, /observe\.p1\.granted: expected a number, or \[least, most\]/],
    [{ p1: { granted: [2, 1] } }, /observe\.p1\.granted: expected a number/],
    [{ p1: { error: 3 } }, /observe\.p1\.error: expected an error's name/],
    [{ p1: { releaseError: 3 } }, /observe\.p1\.releaseError: expected an error's name/],
    [{ p1: 3 }, /observe\.p1: expected some of asked/],
    ['holds', /observe: expected figures by process/],
  ])('refuses %j', (observe, message) => {
    expect(expecting(observe)).toThrow(message);
  });
});
