/** The few keys, values and numbers that generated commands use, so that they meet; many are at or over a limit. */
import fc, { type Arbitrary } from 'fast-check';
import type { Bytes } from '../../keyspace.js';
import { START_MS } from '../step.js';

/** The words of one command. */
export type Words = readonly Bytes[];
export type Part = Arbitrary<Bytes | Words>;

export const INT64_MAX = '9223372036854775807';
export const INT64_MIN = '-9223372036854775808';
const OVER_INT64 = '9223372036854775808';

export const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 1, arbitrary: fc.constantFrom('\xff\x00', '') },
);
const OVERSIZED = 'v'.repeat(300_000);
export const value = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.constantFrom(
      ...['1', 'abc', '', '10', INT64_MAX, INT64_MIN, '1.5', '-1', ' 1', '007', '\xe9\r\n', '\x00\xff'],
    ),
  },
  { weight: 1, arbitrary: fc.constant(OVERSIZED) },
);
export const integer = fc.constantFrom(
  ...['0', '1', '-1', '2', '5', '-3', 'x', '1.5', '', INT64_MAX, OVER_INT64, INT64_MIN, '+1', '-0', ' 1'],
);
/** Mostly positions that sequences reach. */
export const index = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('0', '1', '-1', '2', '-2', '3', '100') },
  { weight: 1, arbitrary: integer },
);

/** Spans from shorter than a step of the clock to longer than a clock can be, and some that are wrong. */
export const spanSeconds = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', '100', '1000') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '0',
      '-1',
      'x',
      '',
      '1.5',
      INT64_MAX,
      OVER_INT64,
      '9223372036854775',
      INT64_MIN,
    ),
  },
);
export const spanMs = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('1', '2', '10', '100', '1499', '1500', '1000000') },
  { weight: 1, arbitrary: fc.constantFrom('0', '-5', 'x', '', '1.5', INT64_MAX, OVER_INT64, INT64_MIN) },
);
const START_SECONDS = START_MS / 1000;
export const timeSeconds = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...[0, 1, 2, -1, 1000].map((after) => String(START_SECONDS + after))),
  },
  { weight: 1, arbitrary: fc.constantFrom('4000000000', '1', '0', '-1', 'x', INT64_MAX, '9223372036854775') },
);
export const timeMs = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...[0, 1, 10, 100, 1500, -1].map((after) => String(START_MS + after))),
  },
  { weight: 1, arbitrary: fc.constantFrom('4000000000000', '1', '0', '-1', '', INT64_MAX, OVER_INT64) },
);
/** Of blocking commands, in seconds: some end within a sequence. */
export const timeout = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('0', '0.1', '0.01', '1', '0.0015') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('-1', 'x', '', '1e3', 'inf', 'nan', '1e300', INT64_MAX, '0x10', ' 1'),
  },
);

export const field = fc.constantFrom('f', 'g', '', '\xc3\xa9', 'constructor');
export const score = fc.constantFrom(
  ...['0', '1', '2', '3', '-1.5', '0.1', '1e3', '1e20', 'inf', '-inf', '+inf', 'Infinity'],
  ...['nan', '-nan', 'x', '', '(1', '1e400', '0x1p3', '-0', '3.0000000000000001', '1.7976931348623157e308'],
);
export const scoreBound = fc.constantFrom(
  ...[
    '-inf',
    '+inf',
    'inf',
    '0',
    '1',
    '2',
    '(0',
    '(1',
    '(2',
    '(-inf',
    '1.5',
    'x',
    '(',
    '',
    'nan',
    '(nan',
    ' 1',
  ],
);
export const lexBound = fc.constantFrom('-', '+', '[f', '(f', '[g', '(g', '[', '(', 'f', '', '[\xff');
export const pattern = fc.constantFrom(
  ...[
    '*',
    'a',
    '[ab]',
    '?',
    '[^a]',
    'x*',
    '\\a',
    '[a-b]',
    '[b-a]',
    '[',
    '[a',
    'a\\',
    '**',
    '',
    '*b*',
    '[^]',
    '\xff*',
  ],
);

/** A command: its name, and one arbitrary for each argument (or group of arguments). */
export function of(name: string | Arbitrary<Bytes>, ...parts: Part[]): Arbitrary<Words> {
  return fc
    .tuple(typeof name === 'string' ? fc.constant(name) : name, ...parts)
    .map((chosen) => chosen.flat());
}

export function some(part: Part, maxLength = 3, minLength = 1): Arbitrary<Words> {
  return fc.array(part, { minLength, maxLength }).map((chosen) => chosen.flat());
}

export function maybe(...choices: (Words | Bytes)[]): Arbitrary<Words> {
  return fc.constantFrom<Words>(
    [],
    ...choices.map((choice) => (typeof choice === 'string' ? [choice] : choice)),
  );
}

export function word(...choices: Bytes[]): Arbitrary<Bytes> {
  return fc.constantFrom(...choices);
}

/** Any number of options, in any order: conflicting ones too. */
export function options(choices: Part[], maxLength = 3): Arbitrary<Words> {
  return some(fc.oneof(...choices), maxLength, 0);
}

/** Names with their arguments in turn. */
export function pairs(first: Part, second: Part, maxLength = 2): Arbitrary<Words> {
  return some(
    fc.tuple(first, second).map((pair) => pair.flat()),
    maxLength,
  );
}

/** `numkeys key ...`, where the number is mostly right. */
export function countedKeys(keys: Arbitrary<Bytes> = key, maxLength = 3): Arbitrary<Words> {
  return fc
    .tuple(
      fc.array(keys, { minLength: 1, maxLength }),
      fc.option(word('0', '1', '3', '-1', 'x', ''), { freq: 5 }),
    )
    .map(([chosen, wrong]) => [wrong ?? String(chosen.length), ...chosen]);
}
