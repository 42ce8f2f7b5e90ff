import { KeptMocks } from '../mock/engine.js';
import { bundleMock } from '../mock/load.js';
import { KeyspaceSubject } from './keyspace-subject.js';
import type { Step } from './step.js';
import type { Outcome, Subject } from './subject.js';

/** ioredis-mock as an engine; its promises are drained, which only works from a turn of the event loop. */
export class MockSubject implements Subject {
  readonly name = 'ioredis-mock';

  private constructor(
    private readonly mocks: KeptMocks,
    private readonly engine: KeyspaceSubject,
  ) {}

  static async load(): Promise<MockSubject> {
    const mocks = new KeptMocks(await bundleMock());
    return new MockSubject(mocks, new KeyspaceSubject('ioredis-mock', mocks.create));
  }

  get ids(): readonly number[] {
    return this.engine.ids;
  }

  reset(): Promise<void> {
    this.mocks.begin();
    return inTurn(() => this.engine.reset());
  }

  run(step: Step): Promise<Outcome> {
    return inTurn(() => this.engine.run(step));
  }
}

function inTurn<Result>(work: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(work());
      } catch (error) {
        reject(error as Error);
      }
    });
  });
}
