import { describe, expect, it } from 'vitest';
import { history, replica, type HistoryBuilder } from '../testing/history.js';
import { outcome } from '../testing/verdicts.js';

const NEW = replica(1);
const SENTINELS = { count: 2, quorum: 1, downAfterMs: 100, failoverTimeoutMs: 1000 } as const;

/** p1 asks in vain from 230 on, in a world with Sentinels or without. */
const asking = (change: (built: HistoryBuilder) => HistoryBuilder, sentinels = true) => {
  const servers = sentinels ? { servers: { replicas: 1, sentinels: SENTINELS } } : {};
  const built = history({ replicas: 1, scenario: { ...servers, bounds: { progressMs: 100 } } });
  return outcome('progress', change(built).tail(220).ask('p1/1/1', 230).end(2000));
};

const cut = (built: HistoryBuilder, to: string) => built.link('p1', to, 210, 'cut');

describe('with Sentinels a client reaches the node that one within its reach names', () => {
  const promoted = (built: HistoryBuilder) => built.promote(1, 200, 0, NEW);

  it('though a replica was promoted of which they never learnt', () => {
    expect(asking((built) => cut(promoted(built), 'redis-1'))).toBe('violated/infrastructure');
    expect(asking((built) => cut(promoted(built), NEW))).toBe('violated/library');
  });

  it('the new one as soon as one of them has it', () => {
    const known = (built: HistoryBuilder) => promoted(built).switched(2, 205, NEW);
    expect(asking((built) => cut(known(built), 'redis-1'))).toBe('violated/library');
    expect(asking((built) => cut(cut(known(built), 'redis-1'), NEW))).toBe('violated/infrastructure');
    const outOfReach = (built: HistoryBuilder) => cut(cut(known(built), 'redis-1'), 'sentinel-2');
    expect(asking(outOfReach)).toBe('violated/infrastructure');
    const downByThen = (built: HistoryBuilder) => cut(known(built), 'redis-1').crash('sentinel-2', 215);
    expect(asking(downByThen)).toBe('violated/infrastructure');
  });

  it('not before they have it', () => {
    const late = (built: HistoryBuilder) => cut(promoted(built).switched(2, 1000, NEW), 'redis-1');
    expect(asking(late)).toBe('violated/infrastructure');
  });

  it('and none without Sentinels', () => {
    const alone = (built: HistoryBuilder) => cut(cut(built, 'sentinel-1'), 'sentinel-2');
    expect(asking(alone)).toBe('violated/infrastructure');
  });

  it('where there are no Sentinels the name leads to the master', () => {
    expect(asking((built) => cut(promoted(built), 'redis-1'), false)).toBe('violated/library');
    expect(asking((built) => cut(promoted(built), NEW), false)).toBe('violated/infrastructure');
  });
});
