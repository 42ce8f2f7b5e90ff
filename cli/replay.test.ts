import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { inProcess } from './testing/in-process.js';
import { MY_LOCK } from './testing/lockpick.js';
import { workInWorkplace } from './testing/work-in.js';

const FILE = 'lockpick-out/S1-single-seed1.counterexample.json';

const place = workInWorkplace();
let counterexample: Record<string, unknown>;
beforeAll(async () => {
  await inProcess(['run', 'S1', '--lock', 'single', '--json']);
  counterexample = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>;
});

async function replay(changes: object, ...flags: string[]): ReturnType<typeof inProcess> {
  place.write('changed.json', JSON.stringify({ ...counterexample, ...changes }));
  return inProcess(['replay', 'changed.json', '--quiet', ...flags]);
}

describe('replay', () => {
  it('of the same lock by the same lockpick reproduces the violation', async () => {
    const { code, stderr } = await replay({});
    expect(stderr).toMatch(/^reproduced: no-stale-write, blame lease$/m);
    expect(code).toBe(1);
  });

  it('with another digest has diverged, and keeps the history that shows it', async () => {
    const { code, stderr } = await replay({ digest: 'f'.repeat(64) });
    expect(stderr).toMatch(/changed\.json: the replay diverged: .*not ffffffffffff/);
    expect(code).toBe(4);
    const history = /its history: (.*)\)/.exec(stderr)![1]!;
    expect(readFileSync(history, 'utf8')).toContain('"kind":"end"');
  });

  it('by another lockpick says so and judges afresh', async () => {
    const { code, stderr } = await replay({ digest: 'f'.repeat(64), versions: { lockpick: '0.0.1' } });
    expect(stderr).toMatch(
      /^still violated: no-stale-write, .*written by lockpick 0\.0\.1, judged afresh by/m,
    );
    expect(code).toBe(1);
  });

  it('of another lock judges afresh: fixed where it holds', async () => {
    place.write('my-lock.ts', MY_LOCK);
    const still = await replay({}, '--lock', './my-lock.ts');
    expect(still.stderr).toMatch(/^still violated: .*the lock is another than then/m);
    expect(still.code).toBe(1);
    const patient = { ...(counterexample['scenario'] as object), faults: [] };
    const fixed = await replay({ scenario: patient }, '--lock', './my-lock.ts');
    expect(fixed.stderr).toMatch(/^fixed: no-stale-write holds/m);
    expect(fixed.code).toBe(0);
  });

  it('of a lock that was mended is fixed, though its holder works past the ttl as before', async () => {
    const claimsNothing = MY_LOCK.replace(/validUntil: .*,/, '');
    place.write('blind.ts', claimsNothing.replace(/redis\.eval\(.*\)/, 'redis.del(resource)'));
    expect((await inProcess(['run', 'S8', '--lock', './blind.ts'])).code).toBe(1);
    const file = 'lockpick-out/S8-blind-seed1.counterexample.json';
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      property: 'mutual-exclusion',
      blame: 'library',
    });
    // Under the same name, so that files of the two would have the same names.
    place.write('mended/blind.ts', claimsNothing);
    const kept = readFileSync(file, 'utf8');
    const again = ['replay', file, '--quiet', '--lock', './mended/blind.ts'];
    const mended = await inProcess(again);
    expect(mended.stderr).toMatch(
      /^fixed: mutual-exclusion is not violated with blame library any more .*mutual-exclusion \(usage\)/m,
    );
    expect(mended.code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(kept);
    expect((await inProcess([...again, '--fail-on', 'usage'])).code).toBe(1);
  });
});
