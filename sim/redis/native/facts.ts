/**
 * What `COMMAND INFO` of redis-server 7.0 says of every command here (and, of later ones, what their own documentation says):
 * arity (the name included; negative: at least that many), flags and where its keys are (first, last, step; `-`: nowhere
 * fixed). Commands with the same facts share a line.
 *
 * Flags: w changes keys, r reads them, m refused when memory is short, a admin, p pub/sub, s not from scripts, b may block,
 * l while loading, t on a replica that lost its master, F fast, A before AUTH, B while a script runs too long, R may be
 * replicated though no write, N keys may be none, v keys move with the arguments, X not in MULTI, y not while loading
 * replaces the data, k asking, M not shown to MONITOR, S not in the slow log, Q executed at once inside MULTI.
 */
const FACTS: readonly (readonly [facts: string, names: string])[] = [
  ['-2 - -', 'acl client config memory object pubsub script xgroup xinfo'],
  ['-2 t -', 'cluster'],
  ['-1 F -', 'ping'],
  ['1 F -', 'asking'],
  ['-4 aslt -', 'config|set'],
  ['-3 aslt -', 'client|kill client|pause client|unblock config|get'],
  ['-2 aslt -', 'client|list debug'],
  ['2 aslt -', 'client|unpause config|resetstat config|rewrite'],
  ['3 aslt -', 'client|no-evict'],
  ['-1 asltB -', 'replconf'],
  ['-1 asltXB -', 'shutdown'],
  ['3 asty -', 'replicaof slaveof'],
  ['-1 asy -', 'bgsave'],
  ['1 asy -', 'bgrewriteaof'],
  ['-3 asyX -', 'psync'],
  ['1 asyX -', 'save sync'],
  ['-4 lt -', 'command|getkeys'],
  ['-2 lt -', 'command|docs command|info command|list'],
  ['-1 lt -', 'command info'],
  ['2 lt -', 'command|count'],
  ['1 ltF -', 'lastsave readonly readwrite time'],
  ['2 ltF -', 'echo select'],
  ['-2 plt -', 'pubsub|channels pubsub|numsub pubsub|shardchannels pubsub|shardnumsub'],
  ['2 plt -', 'pubsub|numpat'],
  ['3 pltFR -', 'publish'],
  ['3 pltFR 1,1,1', 'spublish'],
  ['-2 pslt -', 'psubscribe subscribe'],
  ['-2 pslt 1,-1,1', 'ssubscribe'],
  ['-1 pslt -', 'punsubscribe unsubscribe'],
  ['-1 pslt 1,-1,1', 'sunsubscribe'],
  [
    '-4 r 1,1,1',
    'xrange xrevrange zrange zrangebylex zrangebyscore zrevrange zrevrangebylex zrevrangebyscore',
  ],
  ['-3 r 1,1,1', 'hscan lpos sscan xpending zscan'],
  ['-3 r 1,2,1', 'lcs'],
  ['-3 r 2,2,1', 'memory|usage xinfo|stream'],
  ['-2 r 1,1,1', 'bitcount hrandfield srandmember zrandmember'],
  ['-2 r -', 'scan'],
  ['-2 r 1,-1,1', 'sdiff sinter sunion'],
  ['1 r -', 'randomkey'],
  ['2 r 1,1,1', 'hgetall hkeys hvals smembers'],
  ['2 r -', 'keys'],
  ['3 r 1,1,1', 'lindex'],
  ['3 r 2,2,1', 'object|encoding object|freq object|idletime object|refcount xinfo|groups'],
  ['4 r 1,1,1', 'getrange lrange substr'],
  ['4 r 2,2,1', 'xinfo|consumers'],
  ['-3 rF 1,1,1', 'hmget smismember zmscore'],
  ['-2 rF 1,-1,1', 'exists mget touch'],
  ['1 rF -', 'dbsize'],
  ['2 rF 1,1,1', 'digest expiretime get hlen llen pexpiretime pttl scard strlen ttl type xlen zcard'],
  ['3 rF 1,1,1', 'getbit hexists hget hstrlen sismember zrank zrevrank zscore'],
  ['4 rF 1,1,1', 'zcount zlexcount'],
  ['-4 rbv -', 'xread'],
  ['-3 rstMNv -', 'eval_ro evalsha_ro'],
  ['-3 rv -', 'sintercard zdiff zinter zintercard zunion'],
  ['-2 rv 1,1,1', 'sort_ro'],
  ['-3 s -', 'script|exists'],
  ['-2 s -', 'script|flush'],
  ['3 s -', 'wait'],
  ['2 sB -', 'script|kill'],
  ['-3 slt -', 'client|tracking'],
  ['2 slt -', 'acl|whoami client|getname client|id client|info'],
  ['3 slt -', 'client|reply client|setname'],
  ['1 sltF -', 'role'],
  ['-2 sltFAB -', 'auth'],
  ['-1 sltFAB -', 'hello'],
  ['-1 sltFABQ -', 'quit'],
  ['1 sltFABQ -', 'reset'],
  ['1 sltFB -', 'unwatch'],
  ['-2 sltFBQ 1,-1,1', 'watch'],
  ['1 sltFBQ -', 'discard multi'],
  ['1 sltSQ -', 'exec'],
  ['3 st -', 'script|load'],
  ['3 s -', 'script|debug'],
  ['-3 stMNvR -', 'eval evalsha'],
  ['-5 w 2,2,1', 'xgroup|setid'],
  ['-4 w 1,1,1', 'xtrim'],
  ['-2 w 1,-1,1', 'del'],
  ['-1 w -', 'flushall flushdb'],
  ['3 w 1,2,1', 'rename'],
  ['4 w 1,1,1', 'lrem ltrim zremrangebylex zremrangebyrank zremrangebyscore'],
  ['4 w 2,2,1', 'xgroup|destroy'],
  ['5 w 2,2,1', 'xgroup|delconsumer'],
  ['-4 wF 1,1,1', 'xack'],
  ['-3 wF 1,1,1', 'expire expireat hdel pexpire pexpireat srem xdel zrem'],
  ['-2 wF 1,1,1', 'delex getex lpop rpop spop zpopmax zpopmin'],
  ['-2 wF 1,-1,1', 'unlink'],
  ['2 wF 1,1,1', 'getdel persist'],
  ['3 wF 1,1,1', 'delifeq move'],
  ['3 wF 1,2,1', 'renamenx'],
  ['3 wF -', 'swapdb'],
  ['4 wF 1,2,1', 'smove'],
  ['-7 wbv -', 'xreadgroup'],
  ['-5 wbv -', 'blmpop bzmpop'],
  ['-5 wm 2,2,1', 'xgroup|create'],
  ['-5 wm 1,2,1', 'zrangestore'],
  ['-3 wm 1,2,1', 'copy'],
  ['-3 wm 1,-1,2', 'mset msetnx'],
  ['-3 wm 1,-1,1', 'sdiffstore sinterstore sunionstore'],
  ['-3 wm 1,1,1', 'set'],
  ['3 wm 1,2,1', 'rpoplpush'],
  ['4 wm 1,1,1', 'lset psetex setbit setex setrange'],
  ['5 wm 1,1,1', 'linsert'],
  ['5 wm 1,2,1', 'lmove'],
  ['5 wm 2,2,1', 'xgroup|createconsumer'],
  ['-5 wmF 1,1,1', 'xadd'],
  ['-4 wmF 1,1,1', 'hmset hset zadd'],
  ['-3 wmF 1,1,1', 'lpush lpushx rpush rpushx sadd'],
  ['2 wmF 1,1,1', 'decr incr'],
  ['3 wmF 1,1,1', 'append decrby getset incrby incrbyfloat setnx'],
  ['4 wmF 1,1,1', 'hincrby hincrbyfloat hsetnx zincrby'],
  ['4 wmsb 1,2,1', 'brpoplpush'],
  ['6 wmsb 1,2,1', 'blmove'],
  ['-4 wmv 1,1,1', 'zdiffstore zinterstore zunionstore'],
  ['-2 wmv 1,1,1', 'sort'],
  ['-3 wsb 1,-2,1', 'blpop brpop'],
  ['-3 wsbF 1,-2,1', 'bzpopmax bzpopmin'],
  ['-4 wv -', 'lmpop zmpop'],
  ['4 slt -', 'client|setinfo'],
];

export interface Facts {
  readonly arity: number;
  readonly flags: number;
  readonly keys: KeyPlaces | null;
}

/** Positions of keys among the arguments; `last` counts from the end where negative. */
export interface KeyPlaces {
  readonly first: number;
  readonly last: number;
  readonly step: number;
}

const LETTERS = 'wrmapsbltFABRNvXykMSQ';

/** The bit of a flag by its letter. */
function bit(letter: string): number {
  return 1 << LETTERS.indexOf(letter);
}

/** Changes keys: refused on a replica and in read-only scripts. */
export const WRITE = bit('w');
export const READS = bit('r');
/** May use memory: refused when there is none left. */
export const DENY_OOM = bit('m');
/** Not allowed from a script. */
export const NO_SCRIPT = bit('s');
/** Allowed while the server loads its data. */
export const LOADING_OK = bit('l');
/** Allowed on a replica whose master is out of reach. */
export const STALE_OK = bit('t');
export const NO_AUTH = bit('A');
/** Allowed while a script runs too long. */
export const BUSY_OK = bit('B');
export const MAY_REPLICATE = bit('R');
export const NO_MULTI = bit('X');
/** Executed at once inside MULTI instead of being queued. */
export const NOT_QUEUED = bit('Q');

/** Words of `COMMAND INFO` by letter, in its order. */
const WORDS: readonly (readonly [string, string])[] = [
  ['w', 'write'],
  ['r', 'readonly'],
  ['m', 'denyoom'],
  ['a', 'admin'],
  ['p', 'pubsub'],
  ['s', 'noscript'],
  ['b', 'blocking'],
  ['l', 'loading'],
  ['t', 'stale'],
  ['M', 'skip_monitor'],
  ['S', 'skip_slowlog'],
  ['k', 'asking'],
  ['F', 'fast'],
  ['A', 'no_auth'],
  ['N', 'no_mandatory_keys'],
  ['y', 'no_async_loading'],
  ['X', 'no_multi'],
  ['v', 'movablekeys'],
  ['B', 'allow_busy'],
];

export function flagWords(flags: number): string[] {
  return WORDS.filter(([letter]) => (flags & bit(letter)) !== 0).map(([, word]) => word);
}

function parse(text: string): Facts {
  const [arity = '', letters = '', places = ''] = text.split(' ');
  let flags = 0;
  if (letters !== '-') for (const letter of letters) flags |= bit(letter);
  const [first, last, step] = places.split(',').map(Number);
  const keys = first === undefined || last === undefined || step === undefined ? null : { first, last, step };
  return { arity: Number(arity), flags, keys };
}

const BY_NAME = new Map<string, Facts>();
for (const [text, names] of FACTS) {
  const facts = parse(text);
  for (const name of names.split(' ')) BY_NAME.set(name, facts);
}

const readers = new Map<string, boolean>();

/** Whether a command, by its name in any case, reads keys and changes none; scripts don't count, whatever they do. */
export function readsOnly(name: string): boolean {
  let known = readers.get(name);
  if (known === undefined) {
    const lower = name.toLowerCase();
    known = ((BY_NAME.get(lower)?.flags ?? 0) & READS) !== 0 && !lower.startsWith('eval');
    readers.set(name, known);
  }
  return known;
}

export function factsOf(name: string): Facts {
  const facts = BY_NAME.get(name);
  if (facts === undefined) throw new Error(`no facts of command ${name}`);
  return facts;
}
