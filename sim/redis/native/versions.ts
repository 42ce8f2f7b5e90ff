import type { ServerMode } from '../keyspace.js';

/** The version as INFO and HELLO show it; that of 7.0 is the one the conformance tests compare with. */
export function versionText({ version }: ServerMode): string {
  const [major, minor] = version;
  return major === 7 && minor === 0 ? '7.0.15' : `${major}.${minor}.0`;
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
