import { isCommand, type Step } from '../step.js';
import { key, maybe, of, value, word } from './arguments.js';

/** Scripts that loop for ever without having written, so that they can be killed. */
const ENDLESS = word('while true do end', 'for i = 1, math.huge do end');

/** What the server hears while a script runs. */
export const BUSY = [
  of('eval', ENDLESS, word('1'), key),
  of('eval', ENDLESS, word('1'), key),
  of('eval_ro', word('while true do end'), word('0')),
  of('script', word('kill')),
  of('script', word('kill')),
  of('script', word('kill')),
  of('script', maybe('flush', ['exists', 'x'], ['load', 'return 1'])),
  of('multi'),
  of('exec'),
  of('discard'),
  of('watch', key),
  of('unwatch'),
  of('get', key),
  of('set', key, value),
  of('ping', maybe('x')),
  of('echo', value),
  of('time'),
  of('auth', word('pw')),
  of('hello', maybe('2')),
  of('client', maybe(['setname', 'x'], 'getname', 'id')),
  of('subscribe', word('news')),
  of('publish', word('news'), value),
  of('config', word('get'), word('maxmemory')),
  of('nosuch'),
  of('get'),
  of('reset'),
  of('quit'),
];

/**
 * A connection sends one endless script until one is killed. When the next begins right behind the first, the replies between
 * them wait in the server, which no marker can tell.
 */
export function oneAtATime(steps: readonly Step[]): Step[] {
  const looping = new Set<number>();
  return steps.filter((step) => {
    if (!isCommand(step)) return true;
    const { connection, args } = step;
    if (/^script$/i.test(args[0]!) && args[1] === 'kill') looping.clear();
    if (!/^eval/i.test(args[0]!)) return true;
    if (looping.has(connection)) return false;
    looping.add(connection);
    return true;
  });
}
