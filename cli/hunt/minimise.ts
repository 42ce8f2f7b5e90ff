/** What a search found, made small. */
import type { Finding, RawFinding } from '../../properties/search/hunt/findings.js';
import type { HuntSpec } from '../../properties/search/hunt/spec.js';
import { TaskLost, type Pool } from '../pool/pool.js';

export interface Minimised {
  /** The smallest first: fewest faults, then the lowest run. */
  readonly findings: readonly Finding[];
  /** Those that fresh instances do not show. */
  readonly gone: readonly RawFinding[];
  /** Those whose thread was lost on the way. */
  readonly lost: readonly { readonly raw: RawFinding; readonly message: string }[];
}

export async function minimiseAll(
  spec: HuntSpec,
  raws: readonly RawFinding[],
  pool: Pool,
  heard: (done: number) => void = () => undefined,
): Promise<Minimised> {
  const findings: Finding[] = [];
  const gone: RawFinding[] = [];
  const lost: { raw: RawFinding; message: string }[] = [];
  let done = 0;
  const settled = await Promise.all(
    raws.map(async (raw) => {
      try {
        return { raw, finding: await pool.run({ kind: 'minimise', spec, raw }) };
      } catch (error) {
        if (error instanceof TaskLost) return { raw, message: error.message };
        throw error;
      } finally {
        heard(++done);
      }
    }),
  );
  for (const one of settled) {
    if (one.message !== undefined) lost.push(one);
    else if (one.finding === null) gone.push(one.raw);
    else findings.push(one.finding);
  }
  return { findings: findings.sort(bySize), gone, lost };
}

export function bySize(a: Finding, b: Finding): number {
  return a.faults - b.faults || a.run - b.run || (a.key < b.key ? -1 : 1);
}
