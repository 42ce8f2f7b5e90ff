import type { Bytes, Reply } from '../keyspace.js';
import { command, type Command } from './command.js';
import type { Engine } from './engine.js';
import { DATABASES } from './names.js';
import { versionLines } from './versions.js';

/** Sections in INFO's order. */
const SECTIONS: readonly (readonly [string, (engine: Engine) => readonly string[]])[] = [
  ['Server', server],
  ['Clients', clients],
  ['Memory', memory],
  ['Persistence', persistence],
  ['Stats', stats],
  ['Replication', (engine) => engine.host.services.info('replication')],
  ['Cluster', cluster],
  ['Keyspace', keyspace],
];
const ALL = new Set(['default', 'all', 'everything']);

function server({ mode, settings, store, host }: Engine): string[] {
  return [
    ...versionLines(mode),
    `redis_mode:${mode.cluster ? 'cluster' : 'standalone'}`,
    'arch_bits:64',
    ...host.services.info('server'),
    `server_time_usec:${store.wallUs}`,
    `hz:${settings.get('hz')}`,
    `configured_hz:${settings.get('hz')}`,
  ];
}

function clients({ sessions, waiting, settings }: Engine): string[] {
  return [
    `connected_clients:${sessions.size}`,
    `maxclients:${settings.get('maxclients')}`,
    `blocked_clients:${waiting.size}`,
    'tracking_clients:0',
  ];
}

function memory({ mode, store }: Engine): string[] {
  return [
    `used_memory:${store.ledger?.bytes ?? 0}`,
    `maxmemory:${mode.maxMemory}`,
    `maxmemory_policy:${mode.maxMemoryPolicy}`,
  ];
}

function persistence({ mode, host }: Engine): string[] {
  const lines = host.services.info('persistence');
  return lines.length > 0 ? [...lines] : [`loading:${mode.loading ? 1 : 0}`, 'async_loading:0'];
}

function stats({ subscriptions }: Engine): string[] {
  return [
    `pubsub_channels:${subscriptions.names('channels').length}`,
    `pubsub_patterns:${subscriptions.names('patterns').length}`,
    `pubsubshard_channels:${subscriptions.names('shards').length}`,
  ];
}

function cluster({ mode, host }: Engine): string[] {
  return [`cluster_enabled:${mode.cluster ? 1 : 0}`, ...host.services.info('cluster')];
}

function keyspace({ store }: Engine): string[] {
  const lines: string[] = [];
  for (let db = 0; db < DATABASES; db++) {
    const keys = store.sizeOf(db);
    if (keys === 0) continue;
    const { count, averageMs } = store.expiringOf(db);
    lines.push(`db${db}:keys=${keys},expires=${count},avg_ttl=${averageMs}`);
  }
  return lines;
}

/** INFO [section ...] */
function info(engine: Engine, args: readonly Bytes[]): Reply {
  const asked = new Set(args.slice(1).map((each) => each.toLowerCase()));
  const all = asked.size === 0 || [...asked].some((each) => ALL.has(each));
  return SECTIONS.filter(([name]) => all || asked.has(name.toLowerCase()))
    .map(([name, lines]) => [`# ${name}`, ...lines(engine), ''].join('\r\n'))
    .join('\r\n');
}

export const INFO: readonly Command[] = [command('info', info)];
