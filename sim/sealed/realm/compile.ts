/**
 * Compiles text inside the seal: a function whose parameters are the names of the realm, so that free names in the text
 * find the virtual ones. Names of the host that the realm does not know become parameters too, and are undefined.
 */
import { GLOBALS } from '../surface.js';
import { freeWords } from './reach.js';
import { named } from './seat.js';
import type { AnyFunction } from './seat.js';

const RealFunction = Function;
/** A realm's value by its global name. */
export type Lookup = (name: string) => unknown;

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const NOT_PARAMETERS = new Set(['undefined', 'NaN', 'Infinity', 'arguments', 'eval']);
/** Names of a CommonJS scope and of Node's read-eval-print loop. */
const SCOPE = new Set(['require', 'module', 'exports', '__filename', '__dirname']);

/** Whether a name must not reach the host: it is virtual or refused, or the host has it and the table does not pass it. */
function isShadowed(name: string): boolean {
  if (!IDENTIFIER.test(name) || NOT_PARAMETERS.has(name) || SCOPE.has(name)) return false;
  const how = Object.hasOwn(GLOBALS, name) ? GLOBALS[name]!.how : undefined;
  // The host is asked each time: other code in the process may add to it.
  return how === undefined ? Object.hasOwn(globalThis, name) : how !== 'passed';
}

/** A compiled program: give it the values of a realm, and it gives its result. */
export type Factory = (lookup: Lookup) => unknown;

/** Only names that the text mentions can be free in it. */
function mentioned(text: string, withEval: boolean): string[] {
  const words = freeWords(text);
  const names = [...words].filter(isShadowed).sort();
  if (withEval && words.has('eval')) names.push('eval');
  return names;
}

/** `body` is the body of a function of the names given; `eval` is bound outside of it, where strictness allows. */
function compile(body: string, names: readonly string[]): Factory {
  const factory = new RealFunction(...names, body) as AnyFunction;
  return (lookup) => factory(...names.map(lookup));
}

/** A module's text as a function of `module`, `exports` and `require`, with `eval` of the seal in scope. */
export function compileModule(source: string, url: string, isAsync: boolean): Factory {
  const inner = `${isAsync ? 'async ' : ''}function (module, exports, require, __lockpick_require)`;
  return compile(`return ${inner} {\n${source}\n}\n//# sourceURL=${url}`, mentioned(source, true));
}

/** Lines that {@link compileModule} puts before the first line of the text. */
export const HEADER_LINES = 3;

const MOST_CACHED = 500;
const cache = new Map<string, Factory>();

function cached(body: string, withEval: boolean): Factory {
  const known = cache.get(body);
  if (known !== undefined) return known;
  const made = compile(body, mentioned(body, withEval));
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(body, made);
  return made;
}

/** `Function` and `eval` that compile inside the seal of a realm. */
export function makeCompilers(lookup: Lookup): { Function: FunctionConstructor; eval: AnyFunction } {
  function SealedFunction(...args: unknown[]): AnyFunction {
    const body = args.length === 0 ? '' : String(args.pop());
    const text = `return (function anonymous(${args.map(String).join(',')}\n) {\n${body}\n})`;
    const made = cached(text, true)(lookup) as AnyFunction;
    return /\bthis\b/.test(body) ? withSealedThis(made, lookup) : made;
  }
  Object.defineProperty(SealedFunction, 'prototype', { value: RealFunction.prototype, writable: false });
  named('Function', SealedFunction);
  // The host's own `eval`, called directly, sees the names of the seal around it.
  const evaluate = (code: unknown): unknown => {
    if (typeof code !== 'string') return code;
    return cached(`return eval(${JSON.stringify(code)})`, false)(lookup);
  };
  return { Function: SealedFunction as unknown as FunctionConstructor, eval: named('eval', evaluate) };
}

/** `Function('return this')()` is how old packages find the global object: they find the virtual one. */
function withSealedThis(made: AnyFunction, lookup: Lookup): AnyFunction {
  function anonymous(this: unknown, ...args: unknown[]): unknown {
    if (new.target !== undefined) return Reflect.construct(made, args, new.target);
    const outside = this === undefined || this === null || this === globalThis;
    return made.apply(outside ? lookup('globalThis') : this, args) as unknown;
  }
  anonymous.prototype = made.prototype as object;
  return anonymous;
}
