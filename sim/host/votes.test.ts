import { expect, it } from 'vitest';
import { Votes } from './votes.js';

it('votes are kept for each hold: a grant to one task takes nothing from another that is still asking', () => {
  const votes = new Votes();
  votes.add('p1/1/1', 'redis-1');
  votes.add('p1/2/1', 'redis-2');
  votes.add('p1/1/1', 'redis-3');
  votes.add('p1/1/1', 'redis-1');
  expect(votes.take('p1/1/1')).toEqual(['redis-1', 'redis-3']);
  expect(votes.take('p1/1/1')).toEqual([]);
  expect(votes.take('p1/2/1')).toEqual(['redis-2']);
});
