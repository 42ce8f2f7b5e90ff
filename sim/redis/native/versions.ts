import type { ServerMode } from '../keyspace.js';

/** Major, minor and patch; of 7.0 the patch that the conformance tests compare with. */
export function versionOf({ version: [major, minor] }: ServerMode): readonly [number, number, number] {
  return [major, minor, major === 7 && minor === 0 ? 15 : 0];
}

export function versionText(mode: ServerMode): string {
  return versionOf(mode).join('.');
}

/** What Valkey calls its compatible Redis. */
const VALKEY_AS_REDIS = '7.2.4';

/** Lines of INFO that name the server and its version. */
export function versionLines(mode: ServerMode): string[] {
  const own = versionText(mode);
  return mode.flavour === 'redis'
    ? [`redis_version:${own}`]
    : [`redis_version:${VALKEY_AS_REDIS}`, 'server_name:valkey', `valkey_version:${own}`];
}
