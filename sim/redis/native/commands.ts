import { CommandTable } from './command.js';
import { CONNECTION } from './connection.js';
import { EXPIRY } from './expiry.js';
import { KEYS } from './keys.js';
import { SCRIPTING } from './scripting.js';
import { STRINGS } from './strings.js';
import { TRANSACTIONS } from './transactions.js';

/** Every command the engine knows, one family a file. */
export const COMMANDS = new CommandTable([STRINGS, KEYS, EXPIRY, CONNECTION, TRANSACTIONS, SCRIPTING]);
