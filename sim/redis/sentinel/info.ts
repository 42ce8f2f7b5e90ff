/** What a Sentinel reads in the INFO of a master or a replica. */
import type { Address } from './instance.js';

export type Role = 'master' | 'slave';

export interface Info {
  readonly runId: string | null;
  readonly role: Role;
  /** Addresses of its replicas. */
  readonly replicas: readonly Address[];
  readonly masterHost: string | null;
  readonly masterPort: number;
  readonly masterLinkUp: boolean;
  readonly masterLinkDownMs: number;
  readonly priority: number;
  readonly offset: number;
}

export function readInfo(text: string): Info {
  const lines = new Map<string, string>();
  const replicas: Address[] = [];
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1);
    if (/^slave\d+$/.test(name)) {
      const replica = replicaOf(value);
      if (replica !== null) replicas.push(replica);
    } else lines.set(name, value);
  }
  return {
    runId: lines.get('run_id') ?? null,
    role: lines.get('role') === 'slave' ? 'slave' : 'master',
    replicas,
    masterHost: lines.get('master_host') ?? null,
    masterPort: Number(lines.get('master_port') ?? 0),
    masterLinkUp: lines.get('master_link_status') === 'up',
    masterLinkDownMs: Math.max(0, Number(lines.get('master_link_down_since_seconds') ?? 0)) * 1000,
    priority: Number(lines.get('slave_priority') ?? 100),
    offset: Number(lines.get('slave_repl_offset') ?? 0),
  };
}

/** `ip=redis-1-replica-1,port=6379,state=online,...` */
function replicaOf(text: string): Address | null {
  const fields = new Map(text.split(',').map((field) => field.split('=', 2) as [string, string]));
  const host = fields.get('ip');
  const port = Number(fields.get('port') ?? NaN);
  return host === undefined || !(port > 0) ? null : { host, port };
}
