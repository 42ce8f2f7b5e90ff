/** The causal chains of the catalogue: each link but the first ones needs one above it, and everything serves the bad state. */
import { describe, expect, it } from 'vitest';
import { judge } from '../properties/judge.js';
import { mainViolation } from '../properties/search/main-property.js';
import { history } from '../properties/testing/history.js';
import { causalChain, type ChainOptions, type Link } from '../reports/view/chain.js';
import { buildView } from '../reports/view/model.js';
import { pausedHolder } from '../reports/testing/paused-holder.js';
import { CATALOGUE, findScenario } from '../sim/catalogue/index.js';
import type { History } from '../sim/history/events.js';
import { simulate } from '../sim/run.js';
import { parseScenario } from '../sim/scenario/parse.js';
import { applySets } from '../sim/scenario/set-path.js';
import { load } from './execute.js';

/** @param options unless given, no fault is needed */
function chainOf(run: History, limit = Infinity, options: ChainOptions = { needed: new Set() }): Link[] {
  const { verdicts } = judge(run);
  const about = mainViolation(verdicts);
  if (about === undefined) throw new Error('it is violated');
  return causalChain(buildView(run), ...about, { limit, ...options });
}

async function run(id: string, lock: string): Promise<History> {
  const scenario = applySets(parseScenario(findScenario(id)!.scenario), [{ path: 'lock.name', value: lock }]);
  return simulate(scenario, await load(lock));
}

const texts = (links: readonly Link[]): string[] => links.map(({ text }) => text);

describe('a causal chain', () => {
  it('holds what was needed, and not what merely came in between', () => {
    const links = chainOf(pausedHolder().history);
    expect(texts(links)).toEqual([
      'redis-1 holds the key a of p1 now',
      'p1 gets a: it believes so until 988 ms (monotonic clock)',
      'p1 freezes for 1500 ms, in the middle of a step, until 1514 ms',
      'redis-1: the key a of p1 expires',
      'redis-1 holds the key a of p2 now',
      'p2 gets a: it believes so until 1990 ms (monotonic clock)',
      'the storage takes the write of p2, sent 4 ms before',
      'the storage takes the write of p1, sent 4 ms before',
    ]);
    // p2's release and the end of its key came before the late write, which needed neither.
    expect(links.map(({ needs }) => needs)).toEqual([[], [0], [], [0], [3], [4], [5], [1, 2]]);
  });

  it('passes the needs of what it leaves out on to what it keeps', () => {
    const links = chainOf(pausedHolder().history, 6);
    expect(links).toHaveLength(6);
    expect(texts(links)).not.toContain('redis-1 holds the key a of p2 now');
    const granted = links.findIndex(({ text }) => text.startsWith('p2 gets a'));
    expect(links[granted]!.needs).toEqual([links.findIndex(({ text }) => text.includes('expires'))]);
  });

  it('keeps the grant that a late write needed, rather than a strike that nothing needed', () => {
    const late = history({ scenario: { processes: { count: 2 } } })
      .ask('p1/1/1', 0)
      .set('p1/1/1', 1, 1)
      .link('p1', 'redis-1', 2, 'cut')
      .expired(1, 1002)
      .held('p2/1/1', { ask: 990, votes: 1007, grant: 1008 })
      .use('p2/1/1', 1010, 1011, 'write')
      .link('p1', 'redis-1', 1021, 'whole')
      .grant('p1/1/1', 1022)
      .use('p1/1/1', 1024, 1025, 'write')
      .end(1100)
      .build();
    const shown = texts(chainOf(late, 6, {})).join('\n');
    expect(shown).toContain('p1 gets a');
    expect(shown).not.toContain('whole again');
  });

  it('ties a fault to the moment it was aimed at, and an expiry to the step of the clock', async () => {
    const links = chainOf(await run('S13', 'single'));
    const step = links.findIndex(({ text }) => text.includes('steps forward'));
    expect(links[step]!.needs.map((need) => links[need]!.text)).toEqual([
      expect.stringMatching(/^p1 gets a/),
    ]);
    const expiry = links.findIndex(({ text }) => text.includes('expires'));
    expect(links[expiry]!.needs).toContain(step);
  });

  it('ties a lost key to the promotion, and a late write to its delay', async () => {
    const promoted = chainOf(await run('S17', 'single'));
    const lost = promoted.find(({ text }) => text.includes('is lost'))!;
    expect(lost.needs.map((need) => promoted[need]!.text).join()).toMatch(/takes the place of redis-1/);
    const delayed = chainOf(await run('S3', 'single'));
    const write = delayed.at(-1)!;
    expect(write.text).toMatch(/takes the write of p1, sent 1504.5 ms before/);
    expect(write.needs.map((need) => delayed[need]!.text).join()).toMatch(/delay one message/);
  });

  const rows = CATALOGUE.filter(({ scenario }) =>
    /^(S[1-9]|S1[0-6]|S2[0-6]|E\d|R\d|F\d|M1|Q1)$/.test(scenario.id),
  );
  it.each(rows.map(({ scenario }) => [scenario.id, scenario] as const))(
    '%s: nothing needs what comes after it, and nothing is there for nothing',
    async (id, input) => {
      const scenario = parseScenario(input, id);
      const violated = Object.entries(scenario.expect).find(([, verdicts]) =>
        Object.values(verdicts).some((verdict) => String(verdict).startsWith('violated')),
      );
      if (violated === undefined) return;
      const found = await run(id, violated[0]);
      const { verdicts } = judge(found);
      if (mainViolation(verdicts) === undefined) throw new Error('the catalogue says that it is violated');
      const links = chainOf(found);
      expect(links.length).toBeGreaterThan(0);
      const needed = new Set(links.flatMap(({ needs }) => needs));
      links.forEach(({ needs, evidence, events, text }, position) => {
        for (const need of needs) {
          expect(need).toBeLessThan(position);
          expect(Math.min(...links[need]!.events)).toBeLessThan(Math.max(...events));
        }
        const standing =
          /holds the key|are set|expire|is deleted|are deleted|is lost|are lost|evicted|another deadline/.test(
            text,
          );
        expect(evidence || needed.has(position) || standing, text).toBe(true);
      });
    },
  );
});
