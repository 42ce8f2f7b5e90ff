import { CommandTable } from './command.js';
import { CONNECTION } from './connection.js';
import { EXPIRY } from './expiry.js';
import { HASHES } from './hashes.js';
import { KEYS } from './keys.js';
import { LISTS } from './lists.js';
import { SCRIPTING } from './scripting.js';
import { SETS } from './sets.js';
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
  SETS,
  SORTED_SETS,
  SORTED_SET_RANGES,
  CONNECTION,
  TRANSACTIONS,
  SCRIPTING,
]);
