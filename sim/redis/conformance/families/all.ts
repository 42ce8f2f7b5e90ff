/** The families of generated sequences. */
import type { Arbitrary } from 'fast-check';
import type { Step } from '../step.js';
import { BAD_INPUT } from './bad-input.js';
import { BLOCKING, UNBLOCKING } from './blocking.js';
import { BUSY, oneAtATime } from './busy.js';
import { CONNECTION } from './connection.js';
import { EXPIRY } from './expiry.js';
import { HASHES } from './hashes.js';
import { KEYS } from './keys.js';
import { LISTS } from './lists.js';
import { PAUSE, patient } from './pause.js';
import { PUB_SUB } from './pubsub.js';
import { SCRIPTS } from './scripts.js';
import { sequences } from './sequences.js';
import { SETS } from './sets.js';
import { SORTED_SET_RANGES, SORTED_SETS } from './sorted-sets.js';
import { STREAMS } from './streams.js';
import { STRING_READS, STRING_SETS, STRINGS } from './strings.js';
import { TRANSACTIONS } from './transactions.js';

/** A script that takes a millisecond is slow. */
const SOON_BUSY: Step = { connection: 0, args: ['config', 'set', 'busy-reply-threshold', '1'] };

const OTHERS = [...STRING_SETS, ...STRING_READS, KEYS[0]!];

/** Each stays with one kind of commands, beside a few others that meet it. */
export const FAMILIES: Readonly<Record<string, Arbitrary<Step[]>>> = {
  strings: sequences({ commands: STRINGS }),
  keys: sequences({ commands: [...KEYS, ...OTHERS] }),
  expiry: sequences({ commands: [...EXPIRY, ...OTHERS], clock: 4 }),
  scripts: sequences({ commands: [...SCRIPTS, ...OTHERS] }),
  transactions: sequences({
    commands: [...TRANSACTIONS, ...TRANSACTIONS, ...OTHERS, ...KEYS, ...EXPIRY.slice(0, 4), SCRIPTS[0]!],
    clock: 3,
  }),
  hashes: sequences({ commands: [...HASHES, ...OTHERS] }),
  sets: sequences({ commands: [...SETS, ...OTHERS] }),
  lists: sequences({ commands: [...LISTS, ...OTHERS] }),
  'sorted-sets': sequences({ commands: [...SORTED_SETS, ...OTHERS] }),
  'sorted-set-ranges': sequences({ commands: [...SORTED_SET_RANGES, ...OTHERS] }),
  'pub-sub': sequences({ commands: PUB_SUB }),
  blocking: sequences({ commands: [...BLOCKING, ...UNBLOCKING, ...TRANSACTIONS.slice(0, 4)], clock: 2 }),
  streams: sequences({ commands: [...STREAMS, KEYS[0]!, EXPIRY[2]!] }),
  connection: sequences({ commands: CONNECTION }),
  pause: sequences({ commands: PAUSE, clock: 1 }).map(patient),
  busy: sequences({ commands: BUSY }).map((steps) => [SOON_BUSY, ...oneAtATime(steps)]),
  'bad-input': sequences({ commands: BAD_INPUT }),
  everything: sequences({
    commands: [
      ...[STRINGS, KEYS, EXPIRY, SCRIPTS, TRANSACTIONS, HASHES, SETS, LISTS, SORTED_SETS, SORTED_SET_RANGES],
      ...[PUB_SUB, BLOCKING, STREAMS, CONNECTION],
    ].flat(),
  }),
};
