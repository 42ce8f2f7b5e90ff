import type { Request, Requests } from './request.js';

/** What a connection is at while its command waits: what it sends meanwhile is executed afterwards. */
export class Work {
  /** The batch that the waiting command belongs to, and its place there. */
  batch: Requests | null = null;
  index = 0;
  readonly waiting: (Request | Requests)[] = [];

  constructor(readonly request: Request) {}

  within(batch: Requests, index: number): void {
    this.batch = batch;
    this.index = index;
  }
}
