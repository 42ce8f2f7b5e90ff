import type { Bytes, Session } from '../keyspace.js';
import type { MockClient } from './library.js';

export class MockSession implements Session {
  readonly protocol = 2;
  /** The commands of a transaction since MULTI; null outside one. */
  queue: (readonly Bytes[])[] | null = null;
  open = true;
  /** A command of this session waits for its reply. */
  waiting = false;

  constructor(
    readonly id: number,
    readonly client: MockClient,
  ) {}
}
