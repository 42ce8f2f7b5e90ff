/** The commands of a client in node-redis' shape, by their methods: how arguments become words. */

export interface SetOptions {
  readonly expiration?: string | { readonly type: string; readonly value?: number };
  readonly condition?: string;
  readonly EX?: number;
  readonly PX?: number;
  readonly EXAT?: number;
  readonly PXAT?: number;
  readonly KEEPTTL?: boolean;
  readonly NX?: boolean;
  readonly XX?: boolean;
  readonly GET?: boolean;
}

export interface ScriptOptions {
  readonly keys?: readonly unknown[];
  readonly arguments?: readonly unknown[];
}

const TIMES = ['EX', 'PX', 'EXAT', 'PXAT'] as const;

export function setWords(key: unknown, value: unknown, options: SetOptions = {}): unknown[] {
  const words = ['SET', key, inText(value), ...lifeWords(options)];
  if (options.condition !== undefined) words.push(options.condition);
  else if (options.NX) words.push('NX');
  else if (options.XX) words.push('XX');
  if (options.GET) words.push('GET');
  return words;
}

/** How long the key lives: the newer way of saying it comes first. */
function lifeWords(options: SetOptions): string[] {
  const { expiration } = options;
  if (typeof expiration === 'string') return [expiration];
  if (expiration !== undefined)
    return expiration.type === 'KEEPTTL' ? ['KEEPTTL'] : [expiration.type, String(expiration.value)];
  const time = TIMES.find((name) => options[name] !== undefined);
  if (time !== undefined) return [time, String(options[time])];
  return options.KEEPTTL ? ['KEEPTTL'] : [];
}

export function scriptWords(
  name: 'EVAL' | 'EVALSHA',
  script: unknown,
  options: ScriptOptions = {},
): unknown[] {
  const keys = options.keys ?? [];
  return [name, script, String(keys.length), ...keys, ...(options.arguments ?? [])];
}

function inText(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** Methods whose arguments follow the command's words as they are, lists flattened; replies are the server's. */
const FLAT: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [
    'get setNX setEX pSetEX getDel getSet append strLen mGet del unlink exists type',
    'expire pExpire expireAt pExpireAt persist ttl pTTL incr incrBy decr decrBy',
    'lPush rPush lPop rPop lLen lRange lRem lIndex sAdd sRem sMembers sIsMember sCard zRem zCard',
    'hGet hDel hExists hIncrBy hLen hSetNX publish ping echo wait watch unwatch dbSize flushDb flushAll',
  ]
    .join(' ')
    .split(' ')
    .map((method) => [method, [method.toUpperCase()]]),
);

export const METHODS: Readonly<Record<string, (...given: never[]) => unknown[]>> = {
  ...Object.fromEntries(
    Object.entries({
      ...FLAT,
      scriptLoad: ['SCRIPT', 'LOAD'],
      scriptExists: ['SCRIPT', 'EXISTS'],
      scriptFlush: ['SCRIPT', 'FLUSH'],
    }).map(([method, words]) => [
      method,
      (...given: unknown[]) => [...words, ...given.flat().map((value) => inText(value))],
    ]),
  ),
  set: setWords,
  eval: (script: unknown, options?: ScriptOptions) => scriptWords('EVAL', script, options),
  evalSha: (sha: unknown, options?: ScriptOptions) => scriptWords('EVALSHA', sha, options),
};
