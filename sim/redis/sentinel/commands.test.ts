/** What a Sentinel answers, beside the answers of a real 7.0.15. */
import { describe, expect, it } from 'vitest';
import { MapReply, type Reply } from '../keyspace.js';
import { inResp2 } from '../resp.js';
import { Watched } from './testing.js';

/** Names and values in turn, as an object. */
function fields(reply: unknown): Record<string, string> {
  const flat = (reply instanceof MapReply ? inResp2(reply) : reply) as readonly string[];
  return Object.fromEntries(flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]!]] : [])));
}

const running = (): Watched => new Watched().until(15_000);

describe('SENTINEL', () => {
  it('names the master, and nobody for a name that it does not watch', () => {
    const watched = running();
    const ask = (name: string) => watched.ask(1, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name);
    expect(ask('redis-1')).toEqual(['redis-1', '6379']);
    expect(ask('nope')).toMatchObject({ nil: true });
  });

  it('shows the master in the fields of a real one, in their order', () => {
    const [row] = running().ask(1, 'SENTINEL', 'MASTERS') as unknown[];
    const shown = fields(row);
    expect(Object.keys(shown)).toEqual(
      `name ip port runid flags link-pending-commands link-refcount last-ping-sent last-ok-ping-reply last-ping-reply
       down-after-milliseconds info-refresh role-reported role-reported-time config-epoch num-slaves num-other-sentinels
       quorum failover-timeout parallel-syncs`.split(/\s+/),
    );
    expect(shown).toMatchObject({
      name: 'redis-1',
      ip: 'redis-1',
      port: '6379',
      flags: 'master',
      'role-reported': 'master',
      'num-slaves': '2',
      'num-other-sentinels': '2',
      quorum: '2',
    });
    expect(shown['runid']).toMatch(/^[0-9a-f]{40}$/);
    expect(Number(shown['last-ok-ping-reply'])).toBeLessThan(1100);
    expect(Number(shown['info-refresh'])).toBeLessThan(10_200);
  });

  it('shows replicas and other Sentinels likewise', () => {
    const watched = running();
    const replicas = watched.ask(1, 'SENTINEL', 'REPLICAS', 'redis-1') as unknown[];
    expect(Object.keys(fields(replicas[0]))).toEqual(
      `name ip port runid flags link-pending-commands link-refcount last-ping-sent last-ok-ping-reply last-ping-reply
       down-after-milliseconds info-refresh role-reported role-reported-time master-link-down-time master-link-status
       master-host master-port slave-priority slave-repl-offset replica-announced`.split(/\s+/),
    );
    expect(fields(replicas[1])).toMatchObject({
      name: 'redis-1-replica-2:6379',
      flags: 'slave',
      'master-link-status': 'ok',
      'master-host': 'redis-1',
    });
    const sentinels = watched.ask(1, 'SENTINEL', 'SENTINELS', 'redis-1') as unknown[];
    expect(Object.keys(fields(sentinels[0]))).toEqual(
      `name ip port runid flags link-pending-commands link-refcount last-ping-sent last-ok-ping-reply last-ping-reply
       down-after-milliseconds last-hello-message voted-leader voted-leader-epoch`.split(/\s+/),
    );
    expect(sentinels.map((row) => fields(row)['ip'])).toEqual(['sentinel-2', 'sentinel-3']);
    expect(fields(sentinels[0])['name']).toBe(watched.ask(2, 'SENTINEL', 'MYID'));
  });

  it('shows who is down', () => {
    const watched = running();
    watched.down('redis-1');
    watched.until(16_150);
    const flags = fields(watched.ask(1, 'SENTINEL', 'MASTER', 'redis-1') as Reply)['flags'];
    expect(flags).toMatch(/^s_down,/);
    watched.until(25_000);
    const replicas = watched.ask(1, 'SENTINEL', 'SLAVES', 'redis-1') as unknown[];
    expect(replicas.map((row) => fields(row)['flags'])).toEqual(['slave', 's_down,slave,disconnected']);
    expect(watched.ask(1, 'INFO')).toContain(
      `master0:name=redis-1,status=ok,address=${watched.promoted()[0]}:6379,slaves=2,sentinels=3`,
    );
  });

  it('checks the quorum', () => {
    const watched = running();
    const ask = () => watched.ask(1, 'SENTINEL', 'CKQUORUM', 'redis-1');
    expect(ask()).toBe('OK 3 usable Sentinels. Quorum and failover authorization can be reached');
    watched.down('sentinel-2');
    watched.down('sentinel-3');
    watched.until(20_000);
    expect(ask()).toBe(
      'NOQUORUM 1 usable Sentinels. Not enough available Sentinels to reach the specified quorum for this master. ' +
        'Not enough available Sentinels to reach the majority and authorize a failover',
    );
  });

  it('answers another Sentinel, and gives it one vote an epoch', () => {
    const watched = running();
    const ask = (epoch: string, id: string) =>
      watched.ask(1, 'SENTINEL', 'IS-MASTER-DOWN-BY-ADDR', 'redis-1', '6379', epoch, id);
    const [one, other] = ['a'.repeat(40), 'b'.repeat(40)];
    expect(ask('0', '*')).toEqual([0, '*', 0]);
    expect(ask('1', one)).toEqual([0, one, 1]);
    expect(ask('1', other)).toEqual([0, one, 1]);
    expect(ask('2', other)).toEqual([0, other, 2]);
    expect(ask('1', one)).toEqual([0, other, 2]);
    expect(watched.ask(1, 'SENTINEL', 'IS-MASTER-DOWN-BY-ADDR', 'nobody', '6379', '9', one)).toEqual([
      0,
      '*',
      0,
    ]);
  });

  it('refuses what it does not know', () => {
    const watched = running();
    expect(watched.ask(1, 'SENTINEL', 'MASTER', 'nope')).toBe('ERR No such master with that name');
    expect(watched.ask(1, 'SENTINEL', 'MASTER')).toBe(
      "ERR wrong number of arguments for 'sentinel|master' command",
    );
    expect(watched.ask(1, 'SENTINEL', 'bogus')).toBe("ERR unknown subcommand 'bogus'. Try SENTINEL HELP.");
    expect(watched.ask(1, 'get', 'x')).toBe("ERR unknown command 'get', with args beginning with: 'x' ");
    expect(watched.ask(1, 'PUBLISH', 'foo', 'bar')).toBe(
      'ERR Only HELLO messages are accepted by Sentinel instances.',
    );
  });

  it('has no failover where nobody could be promoted', () => {
    const watched = running();
    watched.down('redis-1-replica-1');
    watched.down('redis-1-replica-2');
    watched.until(22_000);
    expect(watched.ask(1, 'SENTINEL', 'FAILOVER', 'redis-1')).toBe(
      'NOGOODSLAVE No suitable replica to promote',
    );
  });
});

describe('a client of a Sentinel', () => {
  it('is greeted', () => {
    const watched = running();
    expect(watched.ask(1, 'PING')).toBe('PONG');
    expect(watched.ask(1, 'ROLE')).toEqual(['sentinel', ['redis-1']]);
    expect(fields(watched.ask(1, 'HELLO', '3'))).toMatchObject({
      server: 'redis',
      proto: 3,
      mode: 'sentinel',
    });
    expect(watched.ask(1, 'HELLO', '4')).toBe('NOPROTO unsupported protocol version');
    expect(watched.ask(1, 'CLIENT', 'SETNAME', 'x')).toBe('OK');
  });

  it('hears of a failover as it happens', () => {
    const watched = running();
    const listener = watched.listen(1);
    listener.say('SUBSCRIBE', '+switch-master');
    listener.say('PSUBSCRIBE', '*odown');
    expect(listener.say('GET', 'x')).toMatch(/^ERR unknown command/);
    expect(listener.say('ROLE')).toMatch(/^ERR Can't execute 'role'/);
    watched.down('redis-1');
    watched.until(22_000);
    const [promoted] = watched.promoted();
    expect(listener.heard).toEqual([
      ['subscribe', '+switch-master', 1],
      ['psubscribe', '*odown', 2],
      [
        'pmessage',
        '*odown',
        '+odown',
        expect.stringMatching(/^master redis-1 redis-1 6379 #quorum [23]\/2$/),
      ],
      ...(watched.told('-odown', 'sentinel-1').length > 0
        ? [['pmessage', '*odown', '-odown', 'master redis-1 redis-1 6379']]
        : []),
      ['message', '+switch-master', `redis-1 redis-1 6379 ${promoted} 6379`],
    ]);
  });
});
