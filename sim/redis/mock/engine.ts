/** Engines of ioredis-mock from its bundle: a copy of the library for each server, fresh or kept from run to run. */
import type { LockBundle } from '../../sealed/bundle.js';
import type { KeyspaceFactory } from '../keyspace.js';
import { ServerClock } from './clock.js';
import { MockKeyspace, partsOf, type MockParts } from './keyspace.js';
import { MockLibrary } from './library.js';

/** Loads a copy for each server that is made. */
export function freshMocks(bundle: LockBundle): KeyspaceFactory {
  return (mode, host) => {
    const clock = new ServerClock();
    return new MockKeyspace(partsOf(new MockLibrary(bundle, clock, false)), clock, mode, host);
  };
}

/** Keeps copies: loading one takes several milliseconds. The servers of a run get those that earlier runs are done with. */
export class KeptMocks {
  private readonly kept: MockParts[] = [];
  private given = 0;

  constructor(private readonly bundle: LockBundle) {}

  /** A new run begins: the servers of the last are no more. */
  begin(): void {
    this.given = 0;
  }

  readonly create: KeyspaceFactory = (mode, host) => {
    const clock = new ServerClock();
    const parts = this.kept[this.given] ?? partsOf(new MockLibrary(this.bundle, clock, true));
    this.kept[this.given++] = parts;
    parts.library.bind(clock);
    return new MockKeyspace(parts, clock, mode, host);
  };
}
