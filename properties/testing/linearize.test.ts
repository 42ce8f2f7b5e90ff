import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { history } from './history.js';
import { linearize, MUTEX, type MutexInput, type Operation } from './linearize.js';
import { outcome } from './verdicts.js';

const acquire = (owner: string, callUs: number, returnUs: number): Operation<MutexInput> => ({
  input: { do: 'acquire', owner },
  callUs,
  returnUs,
});
const release = (owner: string, callUs: number, returnUs: number): Operation<MutexInput> => ({
  input: { do: 'release', owner },
  callUs,
  returnUs,
});

describe('linearize', () => {
  it('accepts an order that real time allows, and gives it', () => {
    const operations = [acquire('a', 0, 9), acquire('b', 1, 5), release('b', 6, 8), release('a', 10, 11)];
    expect(linearize(operations, MUTEX)).toEqual([1, 2, 0, 3]);
  });

  it('rejects two holders at once', () => {
    expect(
      linearize([acquire('a', 0, 2), acquire('b', 1, 3), release('a', 4, 5), release('b', 4, 5)], MUTEX),
    ).toBeNull();
  });

  it('lets a pending operation take effect or not', () => {
    const pendingRelease = [acquire('a', 0, 1), release('a', 2, Infinity), acquire('b', 3, 4)];
    expect(linearize(pendingRelease, MUTEX)).toEqual([0, 1, 2]);
    expect(linearize([acquire('a', 0, Infinity), acquire('b', 1, 2)], MUTEX)).toEqual([1]);
  });
});

/** Holds of distinct processes: asked, granted, and (mostly) released, at distinct instants. */
const schedules = fc
  .array(
    fc.record({ ask: fc.nat(40), wait: fc.nat(30), hold: fc.nat(40), leave: fc.nat(10), pending: fc.nat(5) }),
    {
      minLength: 2,
      maxLength: 5,
    },
  )
  .map((holds) =>
    holds.map(({ ask, wait, hold, leave, pending }, index) => {
      // Eight instants a millisecond keep all times of all holds distinct.
      const at = (value: number, part: number) => value * 64 + index * 8 + part;
      const granted = ask + wait + 1;
      const released = granted + hold + 1;
      return {
        id: `p${index + 1}/1/1`,
        ask: at(ask, 0),
        granted: at(granted, 1),
        releasing: at(released, 2),
        released: pending === 0 ? Infinity : at(released + leave + 1, 3),
      };
    }),
  );

const SEED = { seed: 20_261_129, numRuns: 400 };

describe('the cores of a plain mutex', () => {
  test.prop([schedules], SEED)(
    'are disjoint if and only if the history is linearizable; mutual-exclusion says the same',
    (holds) => {
      const operations = holds.flatMap(({ id, ask, granted, releasing, released }) => [
        acquire(id, ask, granted),
        release(id, releasing, released),
      ]);
      const linearizable = linearize(operations, MUTEX) !== null;
      const overlapping = holds.some((one) =>
        holds.some(
          (other) => one !== other && one.granted < other.releasing && other.granted < one.releasing,
        ),
      );
      expect(linearizable).toBe(!overlapping);

      const builder = history();
      // A hold that only asks: contention, so that the property is judged at all.
      builder.ask('p9/1/1', 0).ask('p8/1/1', 0);
      for (const { id, ask, granted, releasing } of holds) {
        builder
          .ask(id, ask)
          .set(id, 1, granted - 1)
          .grant(id, granted)
          .release(id, releasing);
      }
      const verdict = outcome('mutual-exclusion', builder);
      expect(verdict === 'holds').toBe(linearizable);
    },
  );
});
