import { CommandTable } from './command.js';
import { CLIENTS } from './clients.js';
import { COMMAND_INFO } from './command-info.js';
import { CONDITIONS } from './conditions.js';
import { CONFIG } from './config.js';
import { CONNECTION } from './connection.js';
import { COUNTERS } from './counters.js';
import { EXPIRY } from './expiry.js';
import { HASHES } from './hashes.js';
import { INFO } from './info.js';
import { KEY_MOVES } from './key-moves.js';
import { KEYS } from './keys.js';
import { LIST_POPS } from './list-pops.js';
import { LISTS } from './lists.js';
import { OBJECTS } from './objects.js';
import { PUB_SUB } from './pubsub.js';
import { SCRIPTING } from './scripting.js';
import { SERVER } from './server-commands.js';
import { SET_ALGEBRA } from './set-algebra.js';
import { SETS } from './sets.js';
import { SORT } from './sort.js';
import { SORTED_SET_ALGEBRA } from './sorted-set-algebra.js';
import { SORTED_SET_POPS } from './sorted-set-pops.js';
import { SORTED_SET_RANGES } from './sorted-set-ranges.js';
import { SORTED_SETS } from './sorted-sets.js';
import { STREAM_READS } from './stream-reads.js';
import { STREAMS } from './streams.js';
import { STRING_PARTS } from './string-parts.js';
import { STRINGS } from './strings.js';
import { TRANSACTIONS } from './transactions.js';

/** Every command the engine knows, one family a file. */
export const COMMANDS = new CommandTable([
  STRINGS,
  COUNTERS,
  STRING_PARTS,
  CONDITIONS,
  KEYS,
  KEY_MOVES,
  SORT,
  OBJECTS,
  EXPIRY,
  HASHES,
  LISTS,
  LIST_POPS,
  SETS,
  SET_ALGEBRA,
  SORTED_SETS,
  SORTED_SET_POPS,
  SORTED_SET_ALGEBRA,
  SORTED_SET_RANGES,
  STREAMS,
  STREAM_READS,
  CONNECTION,
  CLIENTS,
  PUB_SUB,
  SERVER,
  CONFIG,
  INFO,
  COMMAND_INFO,
  TRANSACTIONS,
  SCRIPTING,
]);
