import { key, of, some } from './arguments.js';

export const TRANSACTIONS = [
  of('multi'),
  of('multi'),
  of('exec'),
  of('exec'),
  of('discard'),
  of('watch', some(key, 2)),
  of('watch', some(key, 2)),
  of('unwatch'),
];
