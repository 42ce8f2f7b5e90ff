/** What a script's first line lets it do, held against what the server can take at the moment. */
import { ErrorReply } from '../keyspace.js';
import type { Script } from '../lua/script.js';
import type { Engine } from './engine.js';
import { MASTER_DOWN } from './gate.js';

const NO_CLUSTER = new ErrorReply("ERR Can not run script on cluster, 'no-cluster' flag is set.");
const WRITES_ON_REPLICA = new ErrorReply(
  'READONLY You can not run script with write flag on readonly replica.',
);
const WRITES_IN_RO = new ErrorReply('ERR Can not execute a script with write flag using *_ro command.');
const SHORT_OF_MEMORY = new ErrorReply(
  "OOM allow-oom flag is not set on the script, can not run it when used memory > 'maxmemory'",
);

/**
 * The error with which a script is refused before it runs, or null. One that declares nothing is refused here by a stale
 * replica only.
 */
export function scriptRefusal(engine: Engine, { flags }: Script, readOnly: boolean): ErrorReply | null {
  const { mode } = engine;
  if (flags === null) return mode.masterDown ? MASTER_DOWN : null;
  if (mode.cluster && flags.has('no-cluster')) return NO_CLUSTER;
  if (mode.masterDown && !flags.has('allow-stale')) return MASTER_DOWN;
  if (flags.has('no-writes')) return null;
  if (mode.replica) return WRITES_ON_REPLICA;
  if (readOnly) return WRITES_IN_RO;
  if (mode.writesRefused !== null) return mode.writesRefused;
  return engine.short && !flags.has('allow-oom') ? SHORT_OF_MEMORY : null;
}
