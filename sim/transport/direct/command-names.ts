/** Commands that have a method of their own on a direct client; all others go through `call`. */
export const COMMAND_NAMES: readonly string[] =
  `append arcount ardel ardelrange arget argetrange argrep arinfo arinsert arlastitems arlen armget
    armset arnext arop arring arscan arseek arset auth bitcount bitfield bitop bitpos blmove blmpop
    blpop brpop brpoplpush bzmpop bzpopmax bzpopmin client command config copy dbsize decr decrby
    del discard echo eval evalsha exists expire expireat expiretime flushall flushdb geoadd geodist
    geohash geopos georadius georadiusbymember geosearch geosearchstore get getbit getdel getex
    getrange getset hdel hello hexists hexpire hexpireat hexpiretime hget hgetall hgetdel hgetex
    hincrby hincrbyfloat hkeys hlen hmget hmset hpersist hpexpire hpexpireat hpexpiretime hpttl
    hrandfield hscan hset hsetex hsetnx hstrlen httl hvals incr incrby incrbyfloat increx info keys
    lastsave lcs lindex linsert llen lmove lmpop lpop lpos lpush lpushx lrange lrem lset ltrim mget
    move mset msetex msetnx persist pexpire pexpireat pexpiretime pfadd pfcount pfmerge ping psetex
    psubscribe pttl publish pubsub punsubscribe randomkey rename renamenx role rpop rpoplpush rpush
    rpushx sadd scan scard script sdiff sdiffstore select set setbit setex setnx setrange sinter
    sintercard sinterstore sismember smembers smismember smove spop spublish srandmember srem sscan
    ssubscribe strlen subscribe substr sunion sunionstore sunsubscribe time touch ttl type unlink
    unsubscribe unwatch vadd vcard vdim vemb vgetattr vinfo vismember vlinks vrandmember vrange vrem
    vsetattr vsim wait watch xack xadd xautoclaim xclaim xdel xdelex xgroup xinfo xlen xnack
    xpending xrange xread xreadgroup xrevrange xsetid xtrim zadd zcard zcount zdiff zdiffstore
    zincrby zinter zintercard zinterstore zlexcount zmpop zmscore zpopmax zpopmin zrandmember zrange
    zrangebylex zrangebyscore zrangestore zrank zrem zremrangebylex zremrangebyrank zremrangebyscore
    zrevrange zrevrangebylex zrevrangebyscore zrevrank zscan zscore zunion zunionstore`.split(/\s+/);
