/**
 * The surface of a sealed process: every name of the host that a program can ask for, and what it gets. The realm is
 * built from this table, docs/sealed.md is generated from it, and a test holds the three against each other. What is
 * not named here does not exist inside: the global is `undefined`, the module is not found.
 */
export type Treatment =
  /** Answered by the simulation. */
  | 'virtual'
  /** There, so that a program loads; using it is an attempt to leave the simulation. */
  | 'refused'
  /** The host's own: its results depend on its arguments alone. */
  | 'passed';

export interface SurfaceEntry {
  readonly how: Treatment;
  readonly note?: string;
}

const virtual = (note: string): SurfaceEntry => ({ how: 'virtual', note });
const refused = (note?: string): SurfaceEntry => ({ how: 'refused', note });
const passed = (note?: string): SurfaceEntry => ({ how: 'passed', note });

const all = (names: string, entry: SurfaceEntry): Record<string, SurfaceEntry> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, entry]));

/** Built-ins of the language: the host's, shared by all processes; changing one is reported. */
const LANGUAGE = `Object Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Promise RegExp
  Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError JSON ArrayBuffer
  Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float16Array Float32Array Float64Array
  Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap WeakSet Proxy Reflect Iterator
  DisposableStack AsyncDisposableStack decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape isFinite
  isNaN`;

const WEB = `URL URLSearchParams DOMException TextEncoder TextDecoder atob btoa Buffer TransformStream
  TransformStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter ReadableStream
  ReadableStreamDefaultReader ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController
  ReadableStreamDefaultController ByteLengthQueuingStrategy CountQueuingStrategy TextEncoderStream TextDecoderStream`;

/** Global names. */
export const GLOBALS: Readonly<Record<string, SurfaceEntry>> = {
  ...all(LANGUAGE, passed()),
  ...all(WEB, passed()),
  Date: virtual('the wall clock of the host, with and without `new`; time zone UTC'),
  performance: virtual('the monotonic clock of the host; marks and measures are kept per process'),
  setTimeout: virtual(
    'a timer on the monotonic clock, with `ref`, `unref`, `hasRef`, `refresh`, `close` and a number',
  ),
  setInterval: virtual('as `setTimeout`, repeating'),
  setImmediate: virtual('after the ticks and microtasks of the step, before time moves'),
  clearTimeout: virtual('takes the object or its number'),
  clearInterval: virtual('takes the object or its number'),
  clearImmediate: virtual('takes the object'),
  queueMicrotask: virtual('a microtask; what it throws is uncaught in the process, not in the host'),
  structuredClone: virtual("the host's, but dates are the process's"),
  process: virtual('see below'),
  Math: virtual("`random` draws from the process's own stream; the rest is the host's"),
  crypto: virtual("as `crypto.webcrypto`: random values from the process's own stream; `subtle.digest` only"),
  console: virtual('lines go to the trace of the run; errors print without their stack'),
  AbortController: virtual('written out: no real clock behind it, and cheap'),
  AbortSignal: virtual('`timeout` runs on the monotonic clock, also through `signal.constructor`'),
  Event: virtual('`timeStamp` is the monotonic clock'),
  CustomEvent: virtual('as `Event`'),
  EventTarget: virtual('what a listener throws is uncaught in the process, not in the host'),
  Intl: virtual('default locale en-US, default time zone UTC, default moment the virtual now'),
  WeakRef: virtual('never clears: collection is not deterministic'),
  FinalizationRegistry: virtual('never calls back'),
  WebAssembly: virtual('compiles synchronously, also where it promises'),
  Function: virtual('compiles inside the seal'),
  eval: virtual('compiles inside the seal, in global scope: it does not see local variables'),
  globalThis: virtual('an object without prototype that holds the names of this table'),
  global: virtual('the same object'),
  self: virtual('the same object'),
  Atomics: virtual("the host's, but `wait` and `waitAsync` are refused"),
  ...all('fetch MessageChannel BroadcastChannel WebSocket EventSource Worker SharedArrayBuffer', refused()),
};

/** Modules by name without `node:`. */
export const MODULES: Readonly<Record<string, SurfaceEntry>> = {
  ...all('assert assert/strict buffer constants events path path/posix path/win32 querystring', passed()),
  ...all('stream stream/promises stream/consumers stream/web string_decoder url util/types', passed()),
  async_hooks: virtual('`AsyncLocalStorage` and `AsyncResource`; contexts follow virtual timers and ticks'),
  console: virtual('the virtual console'),
  crypto: virtual(
    "random sources draw from the process; hashes, HMACs, ciphers and key derivation are the host's; see below",
  ),
  diagnostics_channel: virtual('channels without subscribers'),
  fs: virtual(
    "reads files of the program's own packages; other files do not exist, reading or writing them is refused",
  ),
  'fs/promises': virtual('as `fs`'),
  module: virtual('`createRequire` and `isBuiltin` of the seal'),
  os: virtual('a machine named after the simulated host'),
  perf_hooks: virtual('the virtual `performance`; observers hear nothing'),
  process: virtual('the virtual process'),
  timers: virtual('the virtual timers'),
  'timers/promises': virtual('`setTimeout`, `setImmediate`, `setInterval` and `scheduler`, with `signal`'),
  tty: virtual('nothing is a terminal'),
  util: virtual(
    "the host's; `promisify(setTimeout)` is virtual, `debuglog` is silent, `deprecate` warns nobody",
  ),
  zlib: virtual('the synchronous functions; what runs on the thread pool is refused'),
  net: virtual(
    'sockets to the simulated machines by name or address, where the run has a wire; anything else that connects, and all that listens, is refused',
  ),
  tls: virtual('as `net`, with `secureConnect`; nothing is encrypted'),
  dns: virtual('`lookup` knows the simulated machines; the rest is refused'),
  'dns/promises': virtual('as `dns`'),
  http: refused('`METHODS` and `STATUS_CODES` answer'),
  ...all('child_process cluster dgram http2 https worker_threads', refused()),
};

/** Members worth a line of their own. */
export const MEMBERS: Readonly<Record<string, SurfaceEntry>> = {
  'process.nextTick': virtual('before the microtasks of the step'),
  'process.hrtime': virtual('the monotonic clock, also `hrtime.bigint`'),
  'process.env': virtual('empty'),
  'process.pid': virtual('1000 plus the number of the host'),
  'process.version': virtual('one version for all machines'),
  'process.platform': virtual('linux'),
  'process.on': virtual('keeps listeners; no signal ever comes'),
  'process.exit': virtual('the process ends as in a crash'),
  'process.cwd': virtual('/sealed'),
  'process.emitWarning': virtual('a line of the console'),
  'process.memoryUsage': virtual('constants'),
  'process.getBuiltinModule': virtual('the sealed `require`'),
  'crypto.randomBytes': virtual('also with a callback'),
  'crypto.randomFill': virtual('also `randomFillSync`'),
  'crypto.randomInt': virtual('also with a callback'),
  'crypto.randomUUID': virtual('version 4'),
  'crypto.getRandomValues': virtual('also of `webcrypto`'),
  'crypto.createHash': passed('also `createHmac`, `createCipheriv`, `timingSafeEqual`'),
  'crypto.pbkdf2': virtual('`scrypt` and `hkdf` too: computed at once, called back by an immediate'),
  'crypto.subtle.digest': virtual('computed at once'),
  'crypto.generateKeyPair': refused(
    "as all that makes keys, primes or signatures from the host's random source",
  ),
  'import()': virtual('bundled where it names a file or package; otherwise the sealed `require`'),
  require: virtual('the modules of this page; anything else has the code MODULE_NOT_FOUND'),
  'Error.stackTraceLimit': virtual('restored after each run, as `Error.prepareStackTrace`'),
  'Buffer.allocUnsafe': virtual('zero-filled: old memory is not deterministic'),
};
