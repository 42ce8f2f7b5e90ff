/** The interval properties against a walk over every instant. */
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { judge } from '../judge.js';
import { history } from '../testing/history.js';

const SEED = { seed: 20_261_129, numRuns: 500 };

/** Times in whole milliseconds; the claim may end before the return, and the wall clock may step. */
const holdOf = fc.record({
  grant: fc.integer({ min: 1, max: 40 }),
  claim: fc.option(fc.integer({ min: -5, max: 25 }), { nil: null }),
  clock: fc.constantFrom('wall' as const, 'monotonic' as const),
  release: fc.option(fc.integer({ min: 1, max: 25 }), { nil: null }),
  extend: fc.option(
    fc.record({ after: fc.integer({ min: 1, max: 15 }), by: fc.integer({ min: 1, max: 20 }) }),
    { nil: null },
  ),
});
const stepOf = fc.option(
  fc.record({ at: fc.integer({ min: 2, max: 60 }), by: fc.integer({ min: -15, max: 15 }) }),
  {
    nil: null,
  },
);

interface Plan {
  readonly grant: number;
  readonly claim: number | null;
  readonly clock: 'wall' | 'monotonic';
  readonly release: number | null;
  readonly extend: { readonly after: number; readonly by: number } | null;
}
type Step = { readonly at: number; readonly by: number } | null;

const END = 200;

function reading(clock: 'wall' | 'monotonic', step: Step, at: number): number {
  return clock === 'wall' && step !== null && at >= step.at ? at + step.by : at;
}

/** Whether a hold believes at an instant, straight from the definition. */
function believes(plan: Plan, step: Step, at: number): boolean {
  const released = plan.release === null ? Infinity : plan.grant + plan.release;
  if (at < plan.grant || at >= released) return false;
  if (at === plan.grant || plan.claim === null) return true;
  let end = plan.grant + plan.claim;
  if (plan.extend !== null && at >= plan.grant + plan.extend.after)
    end = plan.grant + plan.extend.after + plan.extend.by;
  return reading(plan.clock, step, at) < end;
}

describe('mutual-exclusion against a walk over all instants', () => {
  test.prop(
    [fc.array(holdOf, { minLength: 2, maxLength: 5 }), fc.array(stepOf, { minLength: 5, maxLength: 5 })],
    SEED,
  )('finds the same first overlap', (plans, steps) => {
    const builder = history();
    plans.forEach((plan, index) => {
      const id = `p${index + 1}/1/1`;
      builder.ask(id, 0).set(id, 1, 0);
      builder.grant(
        id,
        plan.grant,
        plan.claim === null ? {} : { until: plan.grant + plan.claim, clock: plan.clock },
      );
      if (plan.release !== null) builder.release(id, plan.grant + plan.release);
      if (plan.extend !== null && plan.claim !== null) {
        const returned = plan.grant + plan.extend.after;
        builder.extended(id, returned, returned + plan.extend.by, plan.clock);
      }
    });
    ['p1', 'p2', 'p3', 'p4', 'p5'].slice(0, plans.length).forEach((host, index) => {
      const step = steps[index]!;
      if (step !== null) builder.step(host, step.at, step.by);
    });
    let first = Infinity;
    for (let at = END; at >= 0; at--) {
      const believers = plans.filter((plan, index) => believes(plan, steps[index]!, at));
      if (believers.length > 1) first = at;
    }
    const verdict = judge(builder.end(END).build()).verdicts['mutual-exclusion'];
    expect(verdict.verdict === 'violated' ? verdict.atUs / 1000 : Infinity).toBe(first);
  });
});

const useOf = fc.record({
  hold: fc.integer({ min: 0, max: 3 }),
  write: fc.boolean(),
  accepted: fc.boolean(),
});

describe('uses against all pairs', () => {
  test.prop([fc.array(useOf, { minLength: 1, maxLength: 12 })], SEED)('finds the same violations', (uses) => {
    const builder = history();
    for (const hold of [0, 1, 2, 3]) {
      const id = `p${hold + 1}/1/1`;
      // Holds are ordered by their SETs, in the order of their numbers.
      builder
        .ask(id, 0)
        .set(id, 1, hold + 1)
        .grant(id, 10 + hold);
    }
    uses.forEach(({ hold, write, accepted }, index) =>
      builder.use(`p${hold + 1}/1/1`, 20 + index, 20 + index, write ? 'write' : 'read', {
        refused: !accepted,
      }),
    );
    const { verdicts } = judge(builder.build());
    const users = new Set(uses.map(({ hold }) => hold));
    const interleaved = uses.some(({ hold: one }, i) =>
      uses.some(
        ({ hold: other }, k) => k > i && other !== one && uses.some(({ hold }, l) => l > k && hold === one),
      ),
    );
    const stale = uses.some(
      (newer, i) =>
        newer.write &&
        newer.accepted &&
        uses.some((older, k) => k > i && older.write && older.accepted && older.hold < newer.hold),
    );
    if (users.size < 2) {
      expect(verdicts['exclusive-use'].verdict).toBe('unknown');
      return;
    }
    expect(verdicts['exclusive-use'].verdict).toBe(interleaved ? 'violated' : 'holds');
    const writes = uses.some(({ write }) => write);
    expect(verdicts['no-stale-write'].verdict).toBe(stale ? 'violated' : writes ? 'holds' : 'unknown');
  });
});
