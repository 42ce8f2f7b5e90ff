import { isCommand, type Step } from '../step.js';
import { key, of, pairs, field, value, word } from './arguments.js';

const forMs = word('100', '10', '0', '1000');

/** Only writes are paused: a server that pauses everything can't be asked whether it has answered everything. */
export const PAUSE = [
  of('client', word('pause'), forMs, word('write', 'WRITE')),
  of('client', word('pause'), forMs, word('write')),
  of('client', word('pause'), word('-1', 'x', '', '100'), word('bad')),
  of('client', word('pause'), word('-1', 'x', ''), word('write')),
  of('client', word('unpause')),
  of('set', key, value),
  of('set', key, value, word('px'), word('10', '100')),
  of('get', key),
  of('incr', key),
  of('pttl', key),
  of('multi'),
  of('exec'),
  of('watch', key),
  of(
    'eval',
    word('return redis.call("set", KEYS[1], "x")', 'return redis.call("get", KEYS[1])'),
    word('1'),
    key,
  ),
  of('eval_ro', word('return redis.call("get", KEYS[1])'), word('1'), key),
  of('publish', word('news'), value),
  of('subscribe', word('news')),
  of('blpop', key, word('0.1', '0')),
  of('lpush', key, value),
  of('xadd', key, word('*'), pairs(field, value, 1)),
  of('dbsize'),
  of('exists', key),
];

/**
 * After a pause began each connection sends one command until CLIENT UNPAUSE. When a pause ends Redis goes on connection by
 * connection; the engine executes what it held back, and what waits behind that is the server's.
 */
export function patient(steps: readonly Step[]): Step[] {
  let sent: Set<number> | null = null;
  return steps.filter((step) => {
    if (!isCommand(step)) return true;
    const { connection, args } = step;
    if (/^client$/i.test(args[0]!) && !sent?.has(connection)) {
      if (args[1] === 'unpause') sent = null;
      else sent ??= new Set();
      return true;
    }
    if (sent?.has(connection)) return false;
    sent?.add(connection);
    return true;
  });
}
