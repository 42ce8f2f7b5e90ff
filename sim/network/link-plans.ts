import { streamName } from '../kernel/random.js';
import type { DurationUs, LinkPlan } from './link.js';

/** The links between hosts as a scenario configures them, made when first asked for and kept for all its runs. */
export class LinkPlans {
  private readonly plans = new Map<string, Map<string, LinkPlan>>();
  private count = 0;

  /**
   * @param links `"p1->redis-1"` -> latency; comes first
   * @param hosts latency of all links of a host, in both directions
   */
  constructor(
    private readonly latencyUs: DurationUs,
    private readonly links: ReadonlyMap<string, DurationUs>,
    private readonly hosts: ReadonlyMap<string, DurationUs>,
  ) {}

  of(from: string, to: string): LinkPlan {
    let targets = this.plans.get(from);
    if (targets === undefined) this.plans.set(from, (targets = new Map()));
    let plan = targets.get(to);
    if (plan === undefined) targets.set(to, (plan = this.make(from, to)));
    return plan;
  }

  private make(from: string, to: string): LinkPlan {
    const name = `${from}->${to}`;
    const { links, hosts, latencyUs } = this;
    const usual = links.get(name) ?? hosts.get(from) ?? hosts.get(to) ?? latencyUs;
    return { from, to, name, usual, latency: streamName(name, 'latency'), index: this.count++ };
  }
}
