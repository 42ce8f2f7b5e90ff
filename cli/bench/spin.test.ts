/** How the steps of a model checker's trail are counted. */
import { describe, expect, it } from 'vitest';
import { stepsOfTrail } from './spin.js';

const line = (step: number, process: string, statement: string): string =>
  `  ${step}:\tproc  1 (${process}:1) lock.pml:70 (state 9)\t[${statement}]\n`;

describe('steps of a trail', () => {
  it('are commands, acquires that return, releases, uses and faults, and no ticks', () => {
    const trail = [
      line(1, 'Client', 'start = now'),
      line(2, 'Client', 'todo = (todo&~((1<<0)))'),
      line(3, 'Clock', 'now = (now+1)'),
      line(4, 'Client', 'incs = (incs+1)'),
      line(5, 'Fault', 'owner[0] = 0'),
      line(6, 'Client', 'assert((incs<=1))'),
      line(7, 'Client', 'start = 0'),
      line(8, 'Client', 'todo = (todo&~((1<<0)))'),
      line(8, 'Client', 'owner[0] = 0'),
    ].join('');
    expect(stepsOfTrail(trail)).toBe(6);
  });

  it('count an attempt that was refused as one that returned, and its clean-up as no release', () => {
    const trail = line(1, 'Client', '((votes<((1/2)+1))||(now>=(start+3)))') + line(2, 'Client', 'start = 0');
    expect(stepsOfTrail(trail)).toBe(1);
  });
});
