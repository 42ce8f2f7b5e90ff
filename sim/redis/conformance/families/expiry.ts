import { key, maybe, of, options, spanMs, spanSeconds, timeMs, timeSeconds } from './arguments.js';

const conditions = options([maybe('NX', 'xx', 'GT', 'lt', 'bad', 'constructor')], 2);

export const EXPIRY = [
  of('expire', key, spanSeconds, conditions),
  of('pexpire', key, spanMs, conditions),
  of('pexpire', key, spanMs),
  of('expireat', key, timeSeconds, conditions),
  of('pexpireat', key, timeMs, conditions),
  of('persist', key),
  of('ttl', key),
  of('pttl', key),
  of('expiretime', key),
  of('pexpiretime', key),
];
