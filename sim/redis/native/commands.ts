import { CommandTable } from './command.js';
import { CLIENTS } from './clients.js';
import { COMMAND_INFO } from './command-info.js';
import { CONFIG } from './config.js';
import { CONNECTION } from './connection.js';
import { EXPIRY } from './expiry.js';
import { HASHES } from './hashes.js';
import { INFO } from './info.js';
import { KEYS } from './keys.js';
import { LIST_POPS } from './list-pops.js';
import { LISTS } from './lists.js';
import { PUB_SUB } from './pubsub.js';
import { SCRIPTING } from './scripting.js';
import { SERVER } from './server-commands.js';
import { SETS } from './sets.js';
import { SORTED_SET_POPS } from './sorted-set-pops.js';
import { SORTED_SET_RANGES } from './sorted-set-ranges.js';
import { SORTED_SETS } from './sorted-sets.js';
import { STRINGS } from './strings.js';
import { TRANSACTIONS } from './transactions.js';

/** Every command the engine knows, one family a file. */
export const COMMANDS = new CommandTable([
  STRINGS,
  KEYS,
  EXPIRY,
  HASHES,
  LISTS,
  LIST_POPS,
  SETS,
  SORTED_SETS,
  SORTED_SET_POPS,
  SORTED_SET_RANGES,
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
