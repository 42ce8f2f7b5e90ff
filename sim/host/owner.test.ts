import { expect, it } from 'vitest';
import { TaskOwner } from './owner.js';

const now = ({ op, hold }: TaskOwner) => [op, hold];

it('counts a command for the open operation, else for what is held, else for what was last', () => {
  const owner = new TaskOwner('1');
  expect(now(owner)).toEqual(['idle', null]);
  owner.asks('p1/1/1');
  owner.begin('acquire', 'p1/1/1');
  expect(now(owner)).toEqual(['acquire', 'p1/1/1']);
  owner.granted('p1/1/1');
  owner.end('acquire', 'p1/1/1');
  expect(now(owner)).toEqual(['hold', 'p1/1/1']);
  owner.begin('extend', 'p1/1/1');
  owner.begin('release', 'p1/1/1');
  expect(now(owner)).toEqual(['release', 'p1/1/1']);
  owner.end('extend', 'p1/1/1');
  owner.end('release', 'p1/1/1');
  owner.over('p1/1/1');
  expect(now(owner)).toEqual(['idle', 'p1/1/1']);
});

it('goes back to the outer hold when the inner one is over', () => {
  const owner = new TaskOwner('1');
  owner.granted('p1/1/1');
  owner.asks('p1/1/2');
  owner.begin('acquire', 'p1/1/2');
  owner.begin('extend', 'p1/1/1');
  expect(now(owner)).toEqual(['extend', 'p1/1/1']);
  owner.end('extend', 'p1/1/1');
  expect(now(owner)).toEqual(['acquire', 'p1/1/2']);
  owner.granted('p1/1/2');
  owner.end('acquire', 'p1/1/2');
  expect(now(owner)).toEqual(['hold', 'p1/1/2']);
  owner.over('p1/1/2');
  expect(now(owner)).toEqual(['hold', 'p1/1/1']);
});
