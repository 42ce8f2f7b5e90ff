/** The few keys, values and numbers that generated commands use, so that they meet; many are at or over a limit. */
import fc, { type Arbitrary } from 'fast-check';

export const key = fc.constantFrom('a', 'b', 'c', '\xff\x00');
export const value = fc.constantFrom(
  '1',
  'abc',
  '',
  '10',
  '9223372036854775807',
  '-9223372036854775808',
  '1.5',
  '-1',
  ' 1',
  '007',
  '\xe9\r\n',
);
export const integer = fc.constantFrom(
  '0',
  '1',
  '-1',
  '2',
  '5',
  '-3',
  'x',
  '1.5',
  '',
  '9223372036854775807',
  '9223372036854775808',
  '+1',
  '-0',
);
/** Spans and times that no sequence lives to see pass, and some that are over, zero or wrong. */
export const spanSeconds = fc.constantFrom(
  '1000',
  '2000',
  '3000',
  '0',
  '-1',
  'x',
  '9223372036854775807',
  '9223372036854775',
);
export const spanMs = fc.constantFrom(
  '1000000',
  '2000000',
  '0',
  '-5',
  'x',
  '1.5',
  '9223372036854775807',
  '9223372036854775808',
);
export const timeSeconds = fc.constantFrom(
  '4000000000',
  '4000001000',
  '1',
  '0',
  '-1',
  'x',
  '9223372036854775807',
);
export const timeMs = fc.constantFrom(
  '4000000000000',
  '4000001000000',
  '1',
  '0',
  '-1',
  '',
  '9223372036854775807',
);
export const field = fc.constantFrom('f', 'g', '', 'é');
export const score = fc.constantFrom(
  'constructor',
  '0',
  '1',
  '2',
  '-1.5',
  '0.1',
  'inf',
  '-inf',
  'nan',
  'x',
  '1e3',
  '',
  '(1',
  '3',
);

export function fixed(...words: string[]): Arbitrary<string[]> {
  return fc.constant(words);
}

/** A command: its name, and one arbitrary for each argument (or group of arguments). */
export function of(name: string, ...parts: Arbitrary<string | readonly string[]>[]): Arbitrary<string[]> {
  return fc.tuple(...parts).map((chosen) => [name, ...chosen.flat()]);
}

export function some(part: Arbitrary<string>, maxLength = 3): Arbitrary<readonly string[]> {
  return fc.array(part, { minLength: 1, maxLength });
}

export function maybe(...choices: (readonly string[])[]): Arbitrary<readonly string[]> {
  return fc.constantFrom<readonly string[]>([], ...choices);
}
