import { describe, expect, it } from 'vitest';
import { Recorder } from '../history/recorder.js';
import { Clocks } from '../kernel/clock.js';
import { Kernel } from '../kernel/kernel.js';
import { Host } from './host.js';

const LIMITS = { virtualUs: 10_000, events: 100 };

function hostWithEvents(): {
  kernel: Kernel;
  host: Host;
  seen: string[];
  at: (tUs: number, name: string) => void;
} {
  const kernel = new Kernel(true);
  const host = new Host({ kernel, recorder: new Recorder() }, 'redis-1', new Clocks(0, 0));
  const seen: string[] = [];
  const at = (tUs: number, name: string): void => {
    kernel.at(tUs, host, () => seen.push(`${name} at ${kernel.nowUs}`), null, null);
  };
  return { kernel, host, seen, at };
}

describe('a paused host', () => {
  it('takes what came meanwhile when it resumes, in the order in which it came', () => {
    const { kernel, host, seen, at } = hostWithEvents();
    host.pause(100);
    at(20, 'second');
    at(10, 'first');
    at(150, 'third');
    expect(kernel.run(LIMITS)).toBe('done');
    expect(seen).toEqual(['first at 100', 'second at 100', 'third at 150']);
  });

  it('that crashes forgets what waited, and it does not keep the run alive', () => {
    const { kernel, host, seen, at } = hostWithEvents();
    host.pause(100);
    at(10, 'void');
    kernel.at(50, null, () => host.crash(), null, null);
    kernel.at(5000, null, () => seen.push('long after'), null, null, false);
    expect(kernel.run(LIMITS)).toBe('done');
    expect(seen).toEqual([]);
    expect(kernel.nowUs).toBe(100);
  });
});
