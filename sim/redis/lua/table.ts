/**
 * Lua values in compiled scripts: nil is `undefined`, strings are byte strings, numbers and booleans are their
 * JavaScript selves, functions are JavaScript functions of Lua values with one result. The only userdata is `cjson.null`.
 */
export type LuaFunction = (...args: LuaValue[]) => LuaValue;
export type LuaValue = undefined | boolean | number | string | LuaTable | LuaFunction | NullPointer;

/** A light userdata: C's null pointer, as which JSON's null reaches a script. */
export class NullPointer {
  readonly isNull = true;
}

export const NULL_POINTER = new NullPointer();

/** Stands for a coroutine, of which libraries see only that it is one. */
export const A_THREAD: LuaFunction = () => undefined;

/** A Lua 5.1 table without metatable. Keys 1..n live in an array, which may hold nil as Lua's own array part does. */
export class LuaTable {
  #hash: Map<LuaValue, LuaValue> | null = null;

  constructor(readonly array: LuaValue[] = []) {}

  /** False: it has at most the keys 1..n. */
  get hasFields(): boolean {
    return this.#hash !== null;
  }

  get(key: LuaValue): LuaValue {
    if (typeof key === 'number' && key >= 1 && key <= this.array.length && Number.isInteger(key)) {
      return this.array[key - 1];
    }
    return this.#hash === null ? undefined : this.#hash.get(key);
  }

  /** The key must be neither nil nor NaN. */
  set(key: LuaValue, value: LuaValue): void {
    const { array } = this;
    if (typeof key === 'number' && key >= 1 && key <= array.length + 1 && Number.isInteger(key)) {
      if (key <= array.length) {
        array[key - 1] = value;
        return;
      }
      if (value !== undefined) {
        array.push(value);
        if (this.#hash !== null) this.#absorb(this.#hash);
        return;
      }
    }
    if (value === undefined) this.#hash?.delete(key);
    else (this.#hash ??= new Map()).set(key, value);
  }

  /** A border as Lua's `#` finds it: the whole array part when its last slot is taken, else by bisection. */
  length(): number {
    const { array } = this;
    let high = array.length;
    if (high === 0 || array[high - 1] !== undefined) return high;
    let low = 0;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (array[middle - 1] === undefined) high = middle;
      else low = middle;
    }
    return low;
  }

  /** Keys with a value: the array part first, the rest as inserted. A copy, so that a loop may clear fields. */
  keys(): LuaValue[] {
    const keys: LuaValue[] = [];
    for (let i = 0; i < this.array.length; i++) if (this.array[i] !== undefined) keys.push(i + 1);
    if (this.#hash !== null) keys.push(...this.#hash.keys());
    return keys;
  }

  /** Moves what now continues the array out of the hash. */
  #absorb(hash: Map<LuaValue, LuaValue>): void {
    hash.delete(this.array.length);
    for (;;) {
      const next = this.array.length + 1;
      const value = hash.get(next);
      if (value === undefined) return;
      hash.delete(next);
      this.array.push(value);
    }
  }
}
