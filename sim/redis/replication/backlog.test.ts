import { describe, expect, it } from 'vitest';
import { Backlog } from './backlog.js';
import { StreamPart } from './stream.js';

const key = (length: number) => ({ key: 'k'.repeat(length), record: undefined, setter: null });
const part = (offset: number, ...keys: number[]) =>
  new StreamPart(keys.map(key), offset, offset, false, true);
const offsets = (parts: readonly StreamPart[] | null) => parts?.map(({ offset }) => offset);

describe('the backlog', () => {
  it('gives what follows an offset: all, some, nothing', () => {
    const backlog = new Backlog(10);
    for (let offset = 11; offset <= 13; offset++) backlog.push(part(offset, 1));
    expect(offsets(backlog.after(10))).toEqual([11, 12, 13]);
    expect(offsets(backlog.after(12))).toEqual([13]);
    expect(offsets(backlog.after(13))).toEqual([]);
  });

  it('has no answer for one that is ahead of it, or before its beginning', () => {
    const backlog = new Backlog(10);
    expect(backlog.after(11)).toBeNull();
    expect(backlog.after(9)).toBeNull();
    expect(offsets(backlog.after(10))).toEqual([]);
  });

  it('forgets the oldest parts, one byte beyond its size', () => {
    // A change takes 96 bytes and its key.
    const backlog = new Backlog(0, 300);
    for (let offset = 1; offset <= 3; offset++) backlog.push(part(offset, 4));
    expect(offsets(backlog.after(0))).toEqual([1, 2, 3]);
    const smaller = new Backlog(0, 299);
    for (let offset = 1; offset <= 3; offset++) smaller.push(part(offset, 4));
    expect(smaller.after(0)).toBeNull();
    expect(offsets(smaller.after(1))).toEqual([2, 3]);
    expect([smaller.oldest, smaller.length]).toEqual([2, 2]);
  });

  it('forgets a part that is larger than itself', () => {
    const backlog = new Backlog(0, 300);
    backlog.push(part(1, 1000));
    expect(backlog.after(0)).toBeNull();
    expect(offsets(backlog.after(1))).toEqual([]);
    backlog.push(part(2, 4));
    expect(offsets(backlog.after(1))).toEqual([2]);
  });

  it('goes on over many parts', () => {
    const backlog = new Backlog(0, 1000);
    for (let offset = 1; offset <= 10_000; offset++) backlog.push(part(offset, 4));
    expect(offsets(backlog.after(9_995))).toEqual([9_996, 9_997, 9_998, 9_999, 10_000]);
    expect(backlog.length).toBe(10);
  });
});
