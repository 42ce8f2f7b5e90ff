/** CONFIG's parameters: those that matter to clients and to the simulated server, with the values of a fresh server. */
import {
  ErrorReply,
  EVICTION_POLICIES,
  type Bytes,
  type ServerMode,
  type ServerServices,
} from '../keyspace.js';
import { parseInteger } from './numbers.js';
import { formatEvents, parseEvents } from './keyspace-events.js';

/** The value as CONFIG GET shows it; an error for one that can't be. */
type Reader = (text: Bytes) => Bytes | ErrorReply;

interface Parameter {
  readonly name: string;
  readonly initial: Bytes;
  /** Null: it can't be set. */
  readonly read: Reader | null;
}

const bad = (text: string) => new ErrorReply(text);

function integer(min: number, max: number): Reader {
  return (text) => {
    const value = parseInteger(text);
    if (value === undefined) return bad("argument couldn't be parsed into an integer");
    return value < min || value > max
      ? bad(`argument must be between ${min} and ${max} inclusive`)
      : String(value);
  };
}

function oneOf(...values: readonly string[]): Reader {
  return (text) =>
    values.includes(text.toLowerCase())
      ? text.toLowerCase()
      : bad(`argument(s) must be one of the following: ${values.join(', ')}`);
}

const yesOrNo: Reader = (text) =>
  /^(yes|no)$/i.test(text) ? text.toLowerCase() : bad("argument must be 'yes' or 'no'");

const anyText: Reader = (text) => text;

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  k: 1000,
  kb: 1024,
  m: 1_000_000,
  mb: 1_048_576,
  g: 1_000_000_000,
  gb: 1_073_741_824,
};

const memory: Reader = (text) => {
  const parts = /^(\d*)([a-z]*)$/i.exec(text);
  const unit = UNITS[parts?.[2]?.toLowerCase() ?? 'none'];
  return unit === undefined ? bad('argument must be a memory value') : String(Number(parts![1]) * unit);
};

/** Pairs of seconds and changes. */
const savePoints: Reader = (text) => {
  const numbers = text === '' ? [] : text.split(' ');
  const valid = numbers.every((part, i) => /^\d+$/.test(part) && (i % 2 === 1 || Number(part) >= 1));
  return valid && numbers.length % 2 === 0 ? numbers.join(' ') : bad('Invalid save parameters');
};

const events: Reader = (text) =>
  formatEvents(parseEvents(text)) ?? bad("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");

const INT_MAX = 2_147_483_647;
/** Redis names the policies in another order in its error. */
const POLICIES = [...EVICTION_POLICIES.slice(4), ...EVICTION_POLICIES.slice(1, 4), 'noeviction'];

const PARAMETERS: readonly Parameter[] = [
  { name: 'maxmemory', initial: '0', read: memory },
  { name: 'maxmemory-policy', initial: 'noeviction', read: oneOf(...POLICIES) },
  { name: 'maxmemory-samples', initial: '5', read: integer(1, INT_MAX) },
  { name: 'appendonly', initial: 'no', read: yesOrNo },
  { name: 'appendfsync', initial: 'everysec', read: oneOf('everysec', 'always', 'no') },
  { name: 'save', initial: '', read: savePoints },
  { name: 'stop-writes-on-bgsave-error', initial: 'yes', read: yesOrNo },
  { name: 'min-replicas-to-write', initial: '0', read: integer(0, INT_MAX) },
  { name: 'min-replicas-max-lag', initial: '10', read: integer(0, INT_MAX) },
  { name: 'replica-serve-stale-data', initial: 'yes', read: yesOrNo },
  { name: 'replica-read-only', initial: 'yes', read: yesOrNo },
  { name: 'replica-priority', initial: '100', read: integer(0, INT_MAX) },
  { name: 'repl-timeout', initial: '60', read: integer(1, INT_MAX) },
  { name: 'repl-ping-replica-period', initial: '10', read: integer(1, INT_MAX) },
  { name: 'repl-diskless-sync-delay', initial: '5', read: integer(0, INT_MAX) },
  { name: 'timeout', initial: '0', read: integer(0, INT_MAX) },
  { name: 'tcp-keepalive', initial: '300', read: integer(0, INT_MAX) },
  { name: 'maxclients', initial: '10000', read: integer(1, 4_294_967_295) },
  { name: 'databases', initial: '16', read: null },
  { name: 'busy-reply-threshold', initial: '5000', read: integer(0, Number.MAX_SAFE_INTEGER) },
  { name: 'requirepass', initial: '', read: anyText },
  { name: 'masterauth', initial: '', read: anyText },
  { name: 'notify-keyspace-events', initial: '', read: events },
  { name: 'hz', initial: '10', read: hertz },
  { name: 'cluster-enabled', initial: 'no', read: null },
  { name: 'cluster-node-timeout', initial: '15000', read: integer(0, Number.MAX_SAFE_INTEGER) },
];

/** Out of its range it is moved into it. */
function hertz(text: Bytes): Bytes | ErrorReply {
  const value = integer(0, INT_MAX)(text);
  return typeof value === 'string' ? String(Math.min(500, Math.max(1, Number(value)))) : value;
}

/** Other names of parameters. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['lua-time-limit', 'busy-reply-threshold'],
  ['min-slaves-to-write', 'min-replicas-to-write'],
  ['min-slaves-max-lag', 'min-replicas-max-lag'],
  ['slave-serve-stale-data', 'replica-serve-stale-data'],
  ['slave-read-only', 'replica-read-only'],
  ['slave-priority', 'replica-priority'],
  ['repl-ping-slave-period', 'repl-ping-replica-period'],
]);

const BY_NAME: ReadonlyMap<string, Parameter> = new Map(
  PARAMETERS.map((parameter): [string, Parameter] => [parameter.name, parameter]),
);

/** All names that CONFIG GET may show. */
const NAMES: readonly string[] = [...BY_NAME.keys(), ...ALIASES.keys()];

export class Settings {
  readonly #values = new Map<string, Bytes>();

  constructor(
    private readonly mode: ServerMode,
    private readonly services: ServerServices,
  ) {}

  /** All names that CONFIG GET may show, aliases included. */
  get names(): readonly string[] {
    return NAMES;
  }

  has(name: string): boolean {
    return BY_NAME.has(ALIASES.get(name) ?? name);
  }

  get(name: string): Bytes {
    const real = ALIASES.get(name) ?? name;
    if (real === 'maxmemory') return String(this.mode.maxMemory);
    if (real === 'maxmemory-policy') return this.mode.maxMemoryPolicy;
    if (real === 'cluster-enabled') return this.mode.cluster ? 'yes' : 'no';
    const external = this.services.setting(real, null);
    if (typeof external === 'string') return external;
    return this.#values.get(real) ?? BY_NAME.get(real)!.initial;
  }

  /** What is wrong with a new value; undefined: nothing. */
  check(name: string, text: Bytes): string | undefined {
    const parameter = BY_NAME.get(ALIASES.get(name) ?? name)!;
    if (parameter.read === null) return "can't set immutable config";
    const value = parameter.read(text);
    return value instanceof ErrorReply ? value.text : undefined;
  }

  /** Sets a value that {@link check} has accepted; an error where the server refuses it. */
  set(name: string, text: Bytes): ErrorReply | undefined {
    const real = ALIASES.get(name) ?? name;
    const value = BY_NAME.get(real)!.read!(text) as Bytes;
    if (real === 'maxmemory') this.mode.maxMemory = Number(value);
    if (real === 'maxmemory-policy') {
      this.mode.maxMemoryPolicy = EVICTION_POLICIES.find((policy) => policy === value)!;
    }
    const external = this.services.setting(real, value);
    if (external instanceof ErrorReply) return external;
    this.#values.set(real, value);
    return undefined;
  }
}
