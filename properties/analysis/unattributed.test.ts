import { describe, expect, it } from 'vitest';
import { loadLock } from '../../sim/load.js';
import { simulate } from '../../sim/run.js';
import { parseScenario } from '../../sim/scenario/parse.js';
import { resolveLock } from '../../src/resolve.js';
import { judge } from '../judge.js';
import type { Verdicts } from '../verdict.js';

async function verdicts(tasks: number, sharedClient: boolean): Promise<Verdicts> {
  const scenario = parseScenario({
    id: 'shared',
    lock: { name: 'single', ttlMs: 2000, options: { retryCount: 60, retryDelayMs: 50, retryJitterMs: 40 } },
    processes: { count: 2, tasks, sharedClient },
    workload: { rounds: 3, workMs: [5, 30] },
    bounds: { orphanMs: 60 },
  });
  return judge(await simulate(scenario, await loadLock(resolveLock('single')))).verdicts;
}

describe('a client shared by tasks', () => {
  it('makes unknown what is judged by whose key it is, and violates nothing', async () => {
    const shared = await verdicts(3, true);
    for (const id of ['quorum-backed', 'honest-validity', 'own-key-only', 'no-orphan'] as const)
      expect(shared[id], id).toMatchObject({
        verdict: 'unknown',
        reason: expect.stringContaining('share a client') as string,
      });
    for (const id of ['mutual-exclusion', 'exclusive-use', 'progress', 'settles', 'quiet'] as const)
      expect(shared[id].verdict, id).toBe('holds');
  });

  it('is no matter where each process has one task, or each task its client', async () => {
    for (const judged of [await verdicts(1, true), await verdicts(3, false)])
      for (const id of ['quorum-backed', 'honest-validity', 'own-key-only', 'no-orphan'] as const)
        expect(judged[id].verdict, id).toBe('holds');
  });
});
