import type { Bytes } from '../keyspace.js';

/** Databases of a server. */
export const DATABASES = 16;

/**
 * The name of a key for observers, records and WATCH: in database 0 the key itself, elsewhere one that no byte string equals
 * (U+2192 is no byte).
 */
export function nameOf(db: number, key: Bytes): Bytes {
  return db === 0 ? key : `db${db}\u2192${key}`;
}

/** The database and the key of a {@link nameOf | name}. */
export function keyOf(name: Bytes): readonly [db: number, key: Bytes] {
  const arrow = name.indexOf('\u2192');
  return arrow < 0 ? [0, name] : [Number(name.slice(2, arrow)), name.slice(arrow + 1)];
}
