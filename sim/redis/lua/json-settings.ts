/** What `cjson`'s own functions set, for one server's scripts or for one result of `cjson.new`. */
import { badArgument, numberArgument, stringArgument } from './arguments.js';
import type { LuaValue } from './table.js';

export class JsonSettings {
  /** A sparse array becomes an object; else it is an error. */
  sparseConvert = false;
  /** An array is sparse when its last index is above `sparseSafe` and above this many times its items; 0: never. */
  sparseRatio = 2;
  sparseSafe = 10;
  encodeMaxDepth = 1000;
  decodeMaxDepth = 1000;
  /** Significant digits. */
  precision = 14;
  /** NaN and infinities: an error, words that JSON does not have, or null. */
  encodeInvalid: 'off' | 'on' | 'null' = 'off';
  decodeInvalid = true;
  keepBuffer = true;
}

const INT_MAX = 0x7fffffff;

/** One call of a function that shows settings and changes those for which an argument is given. */
class Options {
  readonly #args: readonly LuaValue[];

  constructor(
    readonly line: number,
    readonly name: string,
    args: readonly LuaValue[],
    most: number,
  ) {
    if (args.length > most) badArgument(line, most + 1, name, 'found too many arguments');
    this.#args = args;
  }

  integer(position: number, current: number, least: number, most: number): number {
    if (this.#args[position - 1] === undefined) return current;
    const value = Math.trunc(numberArgument(this.line, this.#args, position, this.name));
    if (value < least || value > most) {
      // The library counts wrong: it is always the first one to blame.
      badArgument(this.line, 1, this.name, `expected integer between ${least} and ${most}`);
    }
    return value;
  }

  /** One of some words; `true` and `false` stand for `on` and `off`. */
  word<Word extends string>(current: Word, words: readonly Word[]): Word {
    const value = this.#args[0];
    if (value === undefined) return current;
    const text =
      typeof value === 'boolean'
        ? value
          ? 'on'
          : 'off'
        : stringArgument(this.line, this.#args, 1, this.name);
    const word = words.find((each) => each === text);
    return word ?? badArgument(this.line, 1, this.name, `invalid option '${text}'`);
  }

  flag(current: boolean): boolean {
    return this.word(current ? 'on' : 'off', ['off', 'on']) === 'on';
  }
}

type Setting = (settings: JsonSettings, line: number, ...args: LuaValue[]) => LuaValue[];

/** By the function's name: each returns the settings that hold after it. */
export const JSON_SETTINGS: Readonly<Record<string, Setting>> = {
  encode_sparse_array(settings, line, ...args) {
    const options = new Options(line, 'encode_sparse_array', args, 3);
    settings.sparseConvert = options.flag(settings.sparseConvert);
    settings.sparseRatio = options.integer(2, settings.sparseRatio, 0, INT_MAX);
    settings.sparseSafe = options.integer(3, settings.sparseSafe, 0, INT_MAX);
    return [settings.sparseConvert, settings.sparseRatio, settings.sparseSafe];
  },
  encode_max_depth(settings, line, ...args) {
    const options = new Options(line, 'encode_max_depth', args, 1);
    return [(settings.encodeMaxDepth = options.integer(1, settings.encodeMaxDepth, 1, INT_MAX))];
  },
  decode_max_depth(settings, line, ...args) {
    const options = new Options(line, 'decode_max_depth', args, 1);
    return [(settings.decodeMaxDepth = options.integer(1, settings.decodeMaxDepth, 1, INT_MAX))];
  },
  encode_number_precision(settings, line, ...args) {
    const options = new Options(line, 'encode_number_precision', args, 1);
    return [(settings.precision = options.integer(1, settings.precision, 1, 14))];
  },
  encode_keep_buffer(settings, line, ...args) {
    const options = new Options(line, 'encode_keep_buffer', args, 1);
    return [(settings.keepBuffer = options.flag(settings.keepBuffer))];
  },
  encode_invalid_numbers(settings, line, ...args) {
    const options = new Options(line, 'encode_invalid_numbers', args, 1);
    settings.encodeInvalid = options.word(settings.encodeInvalid, ['off', 'on', 'null']);
    return [settings.encodeInvalid === 'null' ? 'null' : settings.encodeInvalid === 'on'];
  },
  decode_invalid_numbers(settings, line, ...args) {
    const options = new Options(line, 'decode_invalid_numbers', args, 1);
    return [(settings.decodeInvalid = options.flag(settings.decodeInvalid))];
  },
};
